import { join, resolve } from "node:path";
import { createAdminUsers } from "./auth/admin-users.ts";
import { runAdminCommand } from "./auth/admin-commands.ts";
import { createAuthService } from "./auth/auth-service.ts";
import factorsSql from "./auth/factors/factors.sql?raw";
import { ensureFirstAdmin, type FirstAdmin } from "./auth/first-admin.ts";
import { accessTokenLifetime, beginSessions, defaultSessionLimits } from "./auth/sessions.ts";
import type { SessionLimits } from "./auth/sessions.ts";
import { type Transact, Users } from "./auth/users.ts";
import { serveSnapshotsDuring, openControl } from "./control.ts";
import { prepareDatabaseFolder, requireDurability } from "./folder/database.ts";
import { keepExitCode } from "./folder/exit-code.ts";
import { copyDatabase } from "./folder/snapshot.ts";
import { takeDataFolder } from "./folder/take-folder.ts";
import { explainNewerSchema, recordUpgrade } from "./folder/upgrade-backup.ts";
import { explainOpenFailure } from "./folder/usable-folder.ts";
import type { EdgeFunctions } from "./functions.ts";
import { Gateway } from "./gateway.ts";
import { startHousekeeping } from "./housekeeping.ts";
import { createLiteApp } from "./lite-app.ts";
import { type BackendLog, logToConsole } from "./log.ts";
import { applyMigrations, type Migrations, productMigrations, readSchemaState } from "./migrations.ts";
import rolesSql from "./roles.sql?raw";
import { loadSecrets, type Secrets } from "./secrets.ts";
import { EmbeddedConnection } from "./session/connection.ts";
import { GroupCommit } from "./session/group-commit.ts";
import { requireLibraryNames } from "./session/library-names.ts";
import { Mutex } from "./session/mutex.ts";
import { runSql } from "./session/run-sql.ts";
import { acceptAnyParameter } from "./session/any-parameter.ts";
import { forgetUnusedArrays } from "./session/used-arrays.ts";
import { warmUp } from "./session/warm-up.ts";

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
   * Makes a backup (`operations/backup.ts`) in another process. Called before the first change to a database that lacks
   * migrations. When it rejects, nothing changes and the start fails. By default no backup is made.
   */
  backUp?: (() => Promise<void>) | undefined;
  /** Called when work that blocks everything else for long (a copy of the database) starts, and when it ends. */
  reportLongWork?: ((isUnderWay: boolean) => void) | undefined;
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
 * @throws LibraryChanged when a library lacks a name that this program needs
 * @throws the signal's reason when it is aborted before the backend is ready
 */
export async function startEmbeddedBackend(options: EmbeddedBackendOptions): Promise<EmbeddedBackend> {
  requireLibraryNames();
  const { signal } = options;
  const dataDir = resolve(options.dataDir);
  const lock = options.isFolderTaken ? null : await takeDataFolder(dataDir);
  try {
    const secrets = await loadSecrets(dataDir);
    const folder = await prepareDatabaseFolder(dataDir, options.log ?? logToConsole, signal);
    signal?.throwIfAborted();
    const connection = new EmbeddedConnection(folder, options.log ?? logToConsole);
    try {
      return await openBackend(connection, secrets, { ...options, dataDir }, async () => lock?.release());
    } catch (error) {
      // Report the reason for the failed start, not a later error in closing.
      await keepExitCode(() => connection.close()).catch(() => undefined);
      throw error;
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
  connection: EmbeddedConnection,
  secrets: Secrets,
  options: EmbeddedBackendOptions,
  release: () => Promise<void>,
): Promise<EmbeddedBackend> {
  const log = options.log ?? logToConsole;
  const limits = options.sessionLimits ?? defaultSessionLimits;
  const app = createLiteApp(connection, secrets, options.siteUrl, limits, log);
  await keepExitCode(() => connection.driver.waitReady).catch((error: unknown) => {
    throw explainOpenFailure(join(options.dataDir, "pg"), error);
  });
  await requireDurability(connection.driver);
  await forgetUnusedArrays(connection.driver);
  acceptAnyParameter(connection.driver);
  options.signal?.throwIfAborted();
  const migrations = options.migrations ?? productMigrations;
  const copy = async (target: string) => {
    options.reportLongWork?.(true);
    try {
      await copyDatabase(connection.driver, join(options.dataDir, "pg"), target);
    } finally {
      options.reportLongWork?.(false);
    }
  };
  const schema = await readSchemaState(connection.driver, migrations);
  if (schema.isNewer) throw await explainNewerSchema(options.dataDir, schema.newest);
  if (options.backUp && schema.missing > 0) {
    await serveSnapshotsDuring(options.dataDir, copy, log, options.backUp);
    await recordUpgrade(options.dataDir, schema.newest);
  }
  options.signal?.throwIfAborted();
  await app.ensureSystemSchema();
  await connection.exec(rolesSql);
  await beginSessions(connection.driver, secrets.jwtSecret, limits, log);
  await connection.exec(factorsSql);
  await applyMigrations(connection.driver, migrations);
  options.signal?.throwIfAborted();

  const mutex = new Mutex();
  const transact: Transact = (work) => mutex.run(() => connection.driver.transaction(work));
  const commits = new GroupCommit(connection.driver, mutex);
  const users = new Users(transact);
  const firstAdmin = await ensureFirstAdmin(users, transact, options.admin, log);
  const gateway = new Gateway({
    handle: app.fetch,
    handleAuth: createAuthService({
      handle: app.fetch,
      database: connection.driver,
      jwtSecret: secrets.jwtSecret,
      tokenLifetimeSeconds: accessTokenLifetime(limits),
      issuer: new URL(options.siteUrl).host,
      log,
    }),
    handleAdminUsers: createAdminUsers(users, secrets.secretKey),
    flush: () => commits.flush(),
    functions: options.functions,
    mutex,
    log,
  });
  await warmUp(connection, gateway, { url, publishableKey: secrets.publishableKey });
  const housekeeping = startHousekeeping(connection.driver, mutex, log);
  const control = await openControl(
    options.dataDir,
    {
      copyDatabase: (target) => mutex.run(() => copy(target)),
      runAdminCommand: (request) => runAdminCommand(users, transact, request, options.siteUrl),
    },
    log,
  );

  let closing: Promise<void> | undefined;
  const close = async () => {
    await housekeeping.stop();
    await control.close();
    await gateway.close(functionsTimeoutMs);
    await mutex.run(() => keepExitCode(() => connection.close())).finally(release);
  };
  return {
    url,
    publishableKey: secrets.publishableKey,
    secretKey: secrets.secretKey,
    fetch: gateway.fetch,
    firstAdmin,
    sql: (query, parameters) => mutex.run(() => runSql(connection, query, parameters)),
    listen: (channel, callback) => mutex.run(async () => void (await connection.driver.listen(channel, callback))),
    close: () => (closing ??= close()),
  };
}
