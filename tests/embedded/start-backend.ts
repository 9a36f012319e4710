import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type EmbeddedBackend, startEmbeddedBackend } from "#supabase/embedded/embedded-backend.ts";
import type { EmbeddedBackendOptions } from "#supabase/embedded/embedded-backend.ts";
import type { BackendEvent } from "#supabase/embedded/log.ts";

export const adminEmail = "admin@example.org";
export const adminPassword = "a-password-for-tests";

/** A backend on a folder of its own, with the events it reported. */
export interface TestBackend extends EmbeddedBackend {
  dataDir: string;
  events: BackendEvent[];
  /** Closes it and removes its folder. */
  remove(): Promise<void>;
}

export async function makeFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), "embedded-"));
}

/** Starts the embedded backend with the test's own tables instead of the product's migrations. */
export async function startTestBackend(options: Partial<EmbeddedBackendOptions> = {}): Promise<TestBackend> {
  const dataDir = options.dataDir ?? (await makeFolder());
  const events: BackendEvent[] = [];
  const backend = await startEmbeddedBackend({
    siteUrl: "http://localhost:3000",
    admin: { email: adminEmail, password: adminPassword },
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
