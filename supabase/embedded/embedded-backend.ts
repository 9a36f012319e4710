import { join, resolve } from "node:path";
import type { PGlite } from "@electric-sql/pglite";
import { runAdminCommand } from "./auth/admin-commands.ts";
import authSql from "./auth/auth.sql?raw";
import { createAuthService } from "./auth/auth-service.ts";
import factorsSql from "./auth/factors/factors.sql?raw";
import { ensureFirstAdmin, type FirstAdmin } from "./auth/first-admin.ts";
import { accessTokenLifetime, beginSessions, defaultSessionLimits } from "./auth/sessions.ts";
import type { SessionLimits } from "./auth/sessions.ts";
import { type Transact, Users } from "./auth/users.ts";
import { serveSnapshotsDuring, openControl } from "./control.ts";
import { prepareDatabaseFolder, requireDurability } from "./folder/database.ts";
import { explainOpenFailure } from "./folder/marker.ts";
import { copyDatabase } from "./folder/snapshot.ts";
import { takeDataFolder } from "./folder/take-folder.ts";
import { recordUpgrade, requireOwnSchema } from "./backups/upgrade-backup.ts";
import type { EdgeFunctions } from "./functions.ts";
import { Gateway } from "./gateway.ts";
import { startHousekeeping } from "./housekeeping.ts";
import { type BackendLog, logToConsole } from "./log.ts";
import { applyMigrations, type Migrations, productMigrations, readSchemaState } from "./migrations.ts";
import { FunctionCatalog } from "./rest/function-catalog.ts";
import { prepareRestCall } from "./rest/rest-service.ts";
import rolesSql from "./roles.sql?raw";
import { deriveDigestKey, loadSecrets, type Secrets } from "./secrets.ts";
import { Mutex } from "./session/mutex.ts";
import { openDatabase } from "./session/open-database.ts";
import { toSqlError } from "./session/sql-error.ts";
import { Tokens } from "./tokens.ts";

/** A Supabase project inside this thread: PostgreSQL, REST, sign-in and functions, stored in one folder. */
export interface EmbeddedBackend {
  /** Never a network address: only `fetch` below reaches it. */
  url: string;
  publishableKey: string;
  /** For the functions' host, the operator's scripts and tests; it bypasses every policy. */
  secretKey: string;
  /** For `createClient(url, key, { global: { fetch } })`. Serves only /rest/v1, /auth/v1 and /functions/v1. */
  fetch: typeof fetch;
  /** Set only when this start generated a password. Show it once; it is stored nowhere. */
  firstAdmin: { email: string; password: string } | null;
  /** Superuser SQL for the operator's scripts and tests. A query without parameters may hold several statements. */
  sql<T>(query: string, parameters?: unknown[]): Promise<T[]>;
  /** Calls the function after each commit of a transaction that notified the channel (`pg_notify`). */
  listen(channel: string, callback: () => void): Promise<void>;
  /** Waits for running work, closes the database cleanly and releases the folder. Safe to call again. */
  close(): Promise<void>;
}

export interface EmbeddedBackendOptions {
  /** Created if absent. Holds `pg/`, `secrets.json` and the lock. */
  dataDir: string;
  siteUrl: string;
  admin: FirstAdmin;
  functions: EdgeFunctions;
  /** Defaults to a day, and eight hours without use. */
  sessionLimits?: SessionLimits | undefined;
  /** File name to SQL. Defaults to the product's migrations; tests pass others. */
  migrations?: Migrations;
  /** Defaults to JSON on standard output, one line per event. */
  log?: BackendLog;
  /** The caller has locked the data folder (`takeDataFolder`) and releases it. By default the backend does both. */
  isFolderTaken?: boolean;
  /**
   * Makes a backup (`backups/backup.ts`) in another process. Called before the first change to a database that lacks
   * migrations. When it rejects, nothing changes and the start fails. By default no backup is made.
   */
  backUp?: (() => Promise<void>) | undefined;
  /** Called when work that blocks everything else for long (a copy of the database) starts, and when it ends. */
  reportLongWork?: ((isUnderWay: boolean) => void) | undefined;
  /**
   * Describes the running server for `doctor`, without personal data and secrets.
   * @param key for digests of secrets; derived from those of the folder
   */
  readStatus?: ((sql: EmbeddedBackend["sql"], key: Buffer) => Promise<object>) | undefined;
  /** Aborts the start at its next step. The folder is then as after a clean stop, and a later start can use it. */
  signal?: AbortSignal | undefined;
}

/**
 * Starts the backend on a data folder, ready for its first request.
 * @throws DataFolderInUse when another process (or this one) runs on the folder, unless the caller has locked it
 * @throws AdminPasswordRefused when the given password is too weak
 * @throws MigrationFailed when a migration fails; the folder stays as the last successful migration left it. Also when
 *   the folder has another version's schema; the message says how to proceed
 * @throws what `backUp` throws
 * @throws LibraryChanged when PGlite lacks what this program replaces
 * @throws the signal's reason when it is aborted before the backend is ready
 */
export async function startEmbeddedBackend(options: EmbeddedBackendOptions): Promise<EmbeddedBackend> {
  const { signal } = options;
  const dataDir = resolve(options.dataDir);
  const lock = options.isFolderTaken ? null : await takeDataFolder(dataDir);
  try {
    const secrets = await loadSecrets(dataDir);
    const folder = await prepareDatabaseFolder(dataDir, options.log ?? logToConsole, signal);
    signal?.throwIfAborted();
    const database = openDatabase(folder);
    try {
      return await openBackend(database, secrets, { ...options, dataDir }, async () => lock?.release());
    } catch (error) {
      // Report the reason for the failed start, not a later error in closing.
      await database.close().catch(() => undefined);
      throw await explainOpenFailure(folder, error);
    }
  } catch (error) {
    await lock?.release();
    throw error;
  }
}

const url = "http://embedded.localhost";

/** How long closing waits for running functions: one that hangs must not prevent the server from stopping. */
const functionsTimeoutMs = 10_000;

async function openBackend(
  database: PGlite,
  secrets: Secrets,
  options: EmbeddedBackendOptions,
  release: () => Promise<void>,
): Promise<EmbeddedBackend> {
  const log = options.log ?? logToConsole;
  const limits = options.sessionLimits ?? defaultSessionLimits;
  await database.waitReady;
  await requireDurability(database);
  options.signal?.throwIfAborted();
  const migrations = options.migrations ?? productMigrations;
  const copy = async (target: string) => {
    options.reportLongWork?.(true);
    try {
      await copyDatabase(database, join(options.dataDir, "pg"), target);
    } finally {
      options.reportLongWork?.(false);
    }
  };
  const schema = await readSchemaState(database, migrations);
  await requireOwnSchema(options.dataDir, schema);
  if (options.backUp && schema.missing > 0) {
    await serveSnapshotsDuring(options.dataDir, copy, log, options.backUp);
    await recordUpgrade(options.dataDir, schema.newest);
  }
  options.signal?.throwIfAborted();
  await database.exec(authSql);
  await database.exec(rolesSql);
  await beginSessions(database, secrets.jwtSecret, limits, log);
  await database.exec(factorsSql);
  await applyMigrations(database, migrations);
  options.signal?.throwIfAborted();

  const mutex = new Mutex();
  const transact: Transact = (work) => mutex.run(() => database.transaction(work));
  const users = new Users(transact);
  const firstAdmin = await ensureFirstAdmin(users, transact, options.admin, log);
  const tokens = new Tokens(secrets.jwtSecret, accessTokenLifetime(limits));
  const catalog = new FunctionCatalog(database);
  const rest = { database, catalog, secrets, tokens, log };
  const gateway = new Gateway({
    prepareRestCall: (request, body) => prepareRestCall(rest, request, body),
    handleAuth: createAuthService({ transact, users, secrets, tokens, issuer: new URL(options.siteUrl).host, log }),
    functions: options.functions,
    mutex,
    log,
  });
  const housekeeping = startHousekeeping(database, mutex, log);
  const sql = <T>(query: string, parameters: unknown[] = []): Promise<T[]> =>
    mutex.run(async () => {
      // The statement may change functions.
      catalog.forget();
      try {
        if (parameters.length > 0) return (await database.query<T>(query, parameters)).rows;
        return ((await database.exec(query)).at(-1)?.rows ?? []) as T[];
      } catch (error) {
        throw toSqlError(error);
      }
    });
  const digestKey = deriveDigestKey(secrets);
  const control = await openControl(
    options.dataDir,
    {
      copyDatabase: (target) => mutex.run(() => copy(target)),
      runAdminCommand: (request) => runAdminCommand(users, transact, request, options.siteUrl),
      readStatus: options.readStatus && (async () => options.readStatus?.(sql, digestKey) ?? {}),
    },
    log,
  );

  let closing: Promise<void> | undefined;
  const close = async () => {
    await housekeeping.stop();
    await control.close();
    await gateway.close(functionsTimeoutMs);
    await mutex.run(() => database.close()).finally(release);
  };
  return {
    url,
    publishableKey: secrets.publishableKey,
    secretKey: secrets.secretKey,
    fetch: gateway.fetch,
    firstAdmin,
    sql,
    listen: (channel, callback) => mutex.run(async () => void (await database.listen(channel, callback))),
    close: () => (closing ??= close()),
  };
}
