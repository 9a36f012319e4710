import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { text } from "node:stream/consumers";
import program from "./initialize-database.cjs?raw";

/**
 * Fills an empty folder with the files of a new PostgreSQL.
 *
 * A process of its own does it and then ends: initializing leaves memory behind that the server would hold for as long
 * as it runs (over 100 MB). The program is passed as text, so that it needs no file of its own in any bundle; it gets
 * none of this process's environment, where the operator's secrets are.
 * @throws when the process fails, with what it said, or is ended by the signal; the folder is then useless
 */
export async function initializeInChild(folder: string, startParams: string[], signal?: AbortSignal): Promise<void> {
  const pglite = createRequire(import.meta.url).resolve("@electric-sql/pglite");
  const child = spawn(
    process.execPath,
    ["--input-type=commonjs", "--eval", program, pglite, folder, JSON.stringify(startParams)],
    { env: environment(), stdio: ["ignore", "ignore", "pipe"], signal, killSignal: "SIGKILL" },
  );
  // A server that gives up its start, in whatever orderly way, takes this with it.
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  try {
    const [said, [code, killedBy]] = await Promise.all([text(child.stderr), once(child, "close")]);
    if (code === 0) return;
    const failure = `PostgreSQL could not be initialized (${killedBy ?? code}). A new one needs 50 MB of its disk.`;
    throw new Error(`${failure} ${said.slice(0, 2000)}`);
  } finally {
    process.off("exit", kill);
  }
}

/** Nothing but the variable without which no program of Windows can make random numbers. */
function environment(): NodeJS.ProcessEnv {
  const { NODE_ENV, SystemRoot } = process.env;
  return { NODE_ENV, SystemRoot };
}
