import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { text } from "node:stream/consumers";
import program from "./initialize-database.cjs?raw";

/**
 * Fills an empty folder with the files of a new PostgreSQL database.
 *
 * A separate process does this and exits, because initializing leaves over 100 MB of memory allocated that the server
 * would hold as long as it runs. The program is passed as text, so that a bundle needs no extra file. It gets none of
 * this process's environment, which holds the operator's secrets.
 * @throws with the process's error output when it fails or the signal aborts it; the folder is then useless
 */
export async function initializeInChild(folder: string, startParams: string[], signal?: AbortSignal): Promise<void> {
  const pglite = createRequire(import.meta.url).resolve("@electric-sql/pglite");
  const child = spawn(
    process.execPath,
    ["--input-type=commonjs", "--eval", program, pglite, folder, JSON.stringify(startParams)],
    { env: environment(), stdio: ["ignore", "ignore", "pipe"], signal, killSignal: "SIGKILL" },
  );
  // A server that aborts its start in an orderly way also kills this child.
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  try {
    const [said, [code, killedBy]] = await Promise.all([text(child.stderr), once(child, "close")]);
    if (code === 0) return;
    const failure = `PostgreSQL could not be initialized (${killedBy ?? code}). A new database needs 50 MB of disk space.`;
    throw new Error(`${failure} ${said.slice(0, 2000)}`);
  } finally {
    process.off("exit", kill);
  }
}

/** Passes only the variable without which no program on Windows can generate random numbers. */
function environment(): NodeJS.ProcessEnv {
  const { NODE_ENV, SystemRoot } = process.env;
  return { NODE_ENV, SystemRoot };
}
