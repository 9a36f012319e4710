import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startService } from "../../database/support/postgres/child-process.ts";
import { findFreePort } from "../../support/free-port.ts";

/** An edge function in a real Deno, as a hosted project runs it. */
export interface DenoFunction {
  url: string;
  /** Returns its output so far. */
  output(): string;
  close(): Promise<void>;
}

/** Options of `deno serve`. Packages come from node_modules: no downloads, and no lock file next to the program. */
export const serveOptions = [
  "--node-modules-dir=manual",
  "--cached-only",
  "--no-lock",
  "--allow-env",
  "--allow-net",
  "--allow-read",
  "--allow-sys",
];

/** Serves one function with its own `deno.json` and only these settings. */
export async function serveWithDeno(name: string, settings: Record<string, string>): Promise<DenoFunction> {
  const cache = await mkdtemp(join(tmpdir(), "advisory-deno-"));
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}/`;
  const folder = fileURLToPath(new URL(`../../../supabase/functions/${name}`, import.meta.url));
  const address = ["--host", "127.0.0.1", "--port", String(port)];
  const service = await startService(
    findDeno(),
    ["serve", ...serveOptions, "--config", join(folder, "deno.json"), ...address, join(folder, "index.ts")],
    { env: { NODE_ENV: "test", HOME: cache, DENO_DIR: cache, DENO_NO_UPDATE_CHECK: "1", NO_COLOR: "1", ...settings } },
    async () => (await fetch(url)).status === 405,
  );
  return {
    url,
    output: service.output,
    close: async () => {
      await service.stop("TERM");
      await rm(cache, { recursive: true, force: true });
    },
  };
}

/** Finds the Deno binary. The package's launcher would survive a stop signal. */
export function findDeno(): string {
  const { runInstall } = createRequire(import.meta.url)("deno/install_api.cjs") as { runInstall(): string };
  return runInstall();
}
