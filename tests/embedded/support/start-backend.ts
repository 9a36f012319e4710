import { createHash } from "node:crypto";
import { constants, existsSync } from "node:fs";
import { cp, rename } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Session, SupabaseClient } from "@supabase/supabase-js";
import { afterAll, beforeAll } from "vitest";
import packageJson from "../../../package.json" with { type: "json" };
import { databaseOptions, prepareDatabaseFolder } from "#supabase/embedded/folder/database.ts";
import { type EmbeddedBackend, startEmbeddedBackend } from "#supabase/embedded/embedded-backend.ts";
import type { EmbeddedBackendOptions } from "#supabase/embedded/embedded-backend.ts";
import type { BackendEvent } from "#supabase/embedded/log.ts";
import { makeClient } from "../../database/support/test-backend.ts";
import { makeDataDir } from "../../support/site-folder.ts";
import { testAdmin } from "../../support/test-admin.ts";

/** A backend on a folder that is removed after the test file, with the events that it logged. */
export interface TestBackend extends EmbeddedBackend {
  dataDir: string;
  events: BackendEvent[];
  /** a new client of a visitor, or of the person in the token */
  client(token?: string): SupabaseClient;
  /** client with the secret key */
  service: SupabaseClient;
  /** Signs the test admin in. */
  signIn(): Promise<Session>;
  /** Posts JSON with the publishable key, unless headers or options name others. */
  post(path: string, body: unknown, headers?: Record<string, string>, init?: RequestInit): Promise<Response>;
}

/** Makes a data folder with only an initialized PostgreSQL, copied from a template that is made once per machine. */
export async function makeFolder(): Promise<string> {
  const folder = await makeDataDir();
  await cp(await getTemplate(), folder, { recursive: true, mode: constants.COPYFILE_FICLONE });
  return folder;
}

async function getTemplate(): Promise<string> {
  const version = createHash("sha256").update(
    JSON.stringify([packageJson.dependencies["@electric-sql/pglite"], databaseOptions.startParams]),
  );
  const template = join(tmpdir(), `embedded-template-${version.digest("hex").slice(0, 12)}`);
  if (existsSync(template)) return template;
  const draft = await makeDataDir();
  await prepareDatabaseFolder(draft, () => {});
  // Another test file may have made the same template first.
  await rename(draft, template).catch(() => undefined);
  return template;
}

/** Starts the embedded backend with the test's tables instead of the product's migrations. */
export async function startTestBackend(options: Partial<EmbeddedBackendOptions> = {}): Promise<TestBackend> {
  const dataDir = options.dataDir ?? (await makeFolder());
  const events: BackendEvent[] = [];
  const backend = await startEmbeddedBackend({
    siteUrl: "http://localhost:3000",
    admin: testAdmin,
    functions: {},
    migrations: {},
    log: (event) => void events.push(event),
    ...options,
    dataDir,
  });
  const { url, publishableKey: apikey, secretKey, fetch } = backend;
  const client = (token?: string) => makeClient(url, apikey, fetch, token);
  return {
    ...backend,
    dataDir,
    events,
    client,
    service: makeClient(url, secretKey, fetch),
    signIn: async () => {
      const { data, error } = await client().auth.signInWithPassword(testAdmin);
      if (error) throw error;
      return data.session;
    },
    post: (path, body, headers, init) =>
      fetch(`${url}${path}`, {
        method: "POST",
        headers: { apikey, "content-type": "application/json", ...headers },
        body: JSON.stringify(body),
        ...init,
      }),
  };
}

/** Registers hooks that start a backend for a file, and close it. @returns the backend, filled before the first test */
export function useTestBackend(options: Partial<EmbeddedBackendOptions> = {}): TestBackend {
  const backend = {} as TestBackend;
  beforeAll(async () => void Object.assign(backend, await startTestBackend(options)));
  afterAll(() => backend.close?.());
  return backend;
}

/** Makes an edge function of this handler. */
export const edgeFunction = (fetch: (request: Request) => Promise<Response>) => async () => ({ default: { fetch } });

/** SQL of a function that inserts into `public.rows`, because the gateway serves functions only. */
export const addRow = `
  create function public.add_row(id int) returns void language sql set search_path = '' as
    $$ insert into public.rows values (id) $$;`;
