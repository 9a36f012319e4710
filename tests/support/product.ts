import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import type { Timeouts } from "~/server/config/timeouts.server";
import { findFreePort } from "./free-port";
import { shortLivedProduct } from "./short-lived";
import { makeSiteFolder } from "./site-folder";
import { testAdmin } from "./test-admin";

/** A running site with its own port and folder. */
export interface RunningSite {
  url: string;
  dataDir: string;
  /** everything printed so far, stdout and stderr */
  output(): string;
}

/** The built product in its own process, running as an operator runs it. */
export interface Product extends RunningSite {
  /** id of its process */
  pid: number;
  /** kills it without a graceful shutdown */
  kill(): Promise<void>;
  /** stops it as an operator does; returns its exit code */
  stop(): Promise<number | null>;
}

export { makeDataDir } from "./site-folder";
export { testAdmin };

/** Environment variables of a test's operator: an admin, no limits per client, and the test's own settings. */
export function testSettings(dataDir: string, settings: Record<string, string>): Record<string, string> {
  return {
    PORT: "0",
    DATA_DIR: dataDir,
    POST_RATE_LIMIT: "0",
    BACKUP_EVERY: "off",
    ACKNOWLEDGEMENTS_PER_HOUR: "0",
    ADMIN_EMAIL: testAdmin.email,
    ADMIN_PASSWORD: testAdmin.password,
    ...settings,
  };
}

/** The only variables that the product inherits: the test's own settings must not reach it. */
const inherited = ["PATH", "HOME", "TMPDIR", "LANG"];

/**
 * Starts the built product.
 * @param settings environment variables as an operator would set them
 * @param options `dataDir` to start on an existing folder, otherwise on a site that was set up and has the test admin's
 *   account; `server: "plain"` for stock remix-serve; `cwd` for another build than this checkout's; `diskMb` for a
 *   separate file system of that size (`canMountDisk`), visible to this process only and empty at first; `timeouts`
 *   that differ from production's; `isProcessOne` to start it as in a container, below the process of `pid`
 * @throws with the complete output, when the product exits or is not ready within three minutes
 */
export async function startProduct(
  settings: Record<string, string> = {},
  options: {
    dataDir?: string;
    server?: "own" | "plain";
    cwd?: string;
    diskMb?: number;
    timeouts?: Partial<Timeouts>;
    isProcessOne?: boolean;
  } = {},
): Promise<Product> {
  const dataDir = options.dataDir ?? (await makeSiteFolder());
  const plainPort = options.server === "plain" ? await findFreePort() : 0;
  const command = [
    process.execPath,
    ...shortLivedProduct,
    ...(options.server === "plain"
      ? ["node_modules/@remix-run/serve/dist/cli.js", "build/server/index.js"]
      : options.timeouts
        ? ["tests/support/serve-with-timeouts.mjs", JSON.stringify(options.timeouts)]
        : ["bin/site.mjs", "serve"]),
  ];
  if (options.isProcessOne) command.unshift("unshare", ...ownProcesses);
  const [program = "", ...words] = options.diskMb ? onDiskOf(options.diskMb, dataDir, command) : command;
  const child = spawn(program, words, {
    cwd: options.cwd,
    env: {
      ...Object.fromEntries(inherited.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []))),
      NODE_ENV: "production",
      ...testSettings(dataDir, { PORT: String(plainPort), ...settings }),
    } as Record<string, string> & { NODE_ENV: "production" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  child.stdout.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  const port = await readPort(child, () => printed);
  return {
    url: `http://localhost:${port}`,
    pid: child.pid ?? 0,
    dataDir,
    output: () => printed,
    kill: async () => void (await end(child, "SIGKILL")),
    stop: () => end(child, "SIGTERM"),
  };
}

/** Returns true if this machine lets unprivileged users mount a private file system (Linux). */
export function canMountDisk(): boolean {
  return spawnSync("unshare", [...ownMounts, "mount", "-t", "tmpfs", "tmpfs", tmpdir()]).status === 0;
}

/** Returns true if this machine lets unprivileged users number processes from 1 (Linux). */
export function canBeProcessOne(): boolean {
  return spawnSync("unshare", [...ownProcesses, "true"]).status === 0;
}

const ownProcesses = ["--user", "--map-root-user", "--pid", "--fork", "--kill-child"];

const ownMounts = ["--user", "--map-root-user", "--mount"];

/** Wraps the command so that it runs in a private mount namespace; `exec` keeps the process id. */
function onDiskOf(megabytes: number, folder: string, command: string[]): string[] {
  const script = 'mount -t tmpfs -o "size=$1m" tmpfs "$2" && shift 2 && exec "$@"';
  return ["unshare", ...ownMounts, "sh", "-c", script, "sh", String(megabytes), folder, ...command];
}

async function readPort(child: ChildProcess, printed: () => string): Promise<string> {
  const deadline = Date.now() + 180_000;
  while (Date.now() < deadline) {
    const port = /(?:Ready:\s+|remix-serve\] )http:\/\/[^\s:]+:(\d+)/.exec(printed())?.[1];
    if (port) return port;
    if (child.exitCode !== null) throw new Error(`The product ended at once:\n${printed()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  child.kill("SIGKILL");
  throw new Error(`The product was not ready in time:\n${printed()}`);
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const gone = once(child, "exit");
    child.kill(signal);
    await gone;
  }
  return child.exitCode;
}
