import { createHash } from "node:crypto";
import { constants, existsSync } from "node:fs";
import { cp, mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import packageJson from "../../../package.json" with { type: "json" };
import { databaseOptions, prepareDatabaseFolder } from "#supabase/embedded/folder/database.ts";
import { type EmbeddedBackend, startEmbeddedBackend } from "#supabase/embedded/embedded-backend.ts";
import type { EmbeddedBackendOptions } from "#supabase/embedded/embedded-backend.ts";
import type { BackendEvent } from "#supabase/embedded/log.ts";
import { testAdmin } from "../../support/test-admin.ts";

/** A backend on a temporary folder, with the events that it logged. */
export interface TestBackend extends EmbeddedBackend {
  dataDir: string;
  events: BackendEvent[];
  /** Closes the backend and removes its folder. */
  remove(): Promise<void>;
}

/** Makes an empty data folder. A backend on it initializes PostgreSQL first, which takes seconds. */
export async function makeEmptyFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), "embedded-"));
}

/** Makes a data folder with only an initialized PostgreSQL, copied from a template that is made once per machine. */
export async function makeFolder(): Promise<string> {
  const folder = await makeEmptyFolder();
  await cp(await getTemplate(), folder, { recursive: true, mode: constants.COPYFILE_FICLONE });
  return folder;
}

async function getTemplate(): Promise<string> {
  const version = createHash("sha256").update(
    JSON.stringify([packageJson.dependencies["@electric-sql/pglite"], databaseOptions.startParams]),
  );
  const template = join(tmpdir(), `embedded-template-${version.digest("hex").slice(0, 12)}`);
  if (existsSync(template)) return template;
  const draft = await makeEmptyFolder();
  await prepareDatabaseFolder(draft, () => {});
  // Another test file may have made the same template first.
  await rename(draft, template).catch(() => rm(draft, { recursive: true, force: true }));
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
  const remove = async () => {
    await backend.close();
    await rm(dataDir, { recursive: true, force: true });
  };
  return { ...backend, dataDir, events, remove };
}
