import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import type { Timeouts } from "~/server/config/timeouts.server";
import { findFreePort } from "./free-port";
import { coverageVariables, shortLivedProduct } from "./short-lived";
import { makeDataDir, makeSiteFolder } from "./site-folder";
import { testAdmin } from "./test-admin";
import { testTimeouts } from "./test-timeouts";

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

export { makeDataDir, testAdmin };

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

/** Returns the environment of a product's process. */
export function productEnvironment(dataDir: string, settings: Record<string, string>): NodeJS.ProcessEnv {
  return {
    ...Object.fromEntries(inherited.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []))),
    ...coverageVariables(),
    NODE_ENV: "production",
    ...testSettings(dataDir, settings),
  };
}

/** Returns the command that serves the build with these timeouts: the operator's command with production's. */
export function productCommand(timeouts: Partial<Timeouts> | "production"): string[] {
  const node = [process.execPath, ...shortLivedProduct];
  return timeouts === "production"
    ? [...node, "bin/site.mjs", "serve"]
    : [...node, "tests/support/serve-with-timeouts.mjs", JSON.stringify(timeouts)];
}

/** Starts a process of the product. `output` is everything it has printed so far. */
export function spawnProduct(
  [program = "", ...words]: string[],
  dataDir: string,
  settings: Record<string, string>,
  cwd?: string,
) {
  const env = productEnvironment(dataDir, settings);
  const child = spawn(program, words, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  return { child, output: () => printed };
}

/**
 * Starts the built product.
 * @param settings environment variables as an operator would set them
 * @param options `dataDir` to start on an existing folder, otherwise on a site that was set up and has the test admin's
 *   account; `server: "plain"` for stock remix-serve; `cwd` for another build than this checkout's; `diskMb` for a
 *   copy of the folder on a separate disk of that size (`canMountDisk`), visible to this process only; `timeouts` that
 *   differ from those of tests, or `production` for tests that measure (another build always has these);
 *   `isProcessOne` to start it as in a container, below the process of `pid`
 * @throws with the complete output, when the product exits or is not ready within three minutes
 */
export async function startProduct(
  settings: Record<string, string> = {},
  options: {
    dataDir?: string;
    server?: "own" | "plain";
    cwd?: string;
    diskMb?: number;
    timeouts?: Partial<Timeouts> | "production";
    isProcessOne?: boolean;
  } = {},
): Promise<Product> {
  const folder = options.dataDir ?? (await makeSiteFolder());
  const dataDir = options.diskMb === undefined ? folder : await makeDataDir();
  const plainPort = options.server === "plain" ? await findFreePort() : 0;
  const command =
    options.server === "plain"
      ? [process.execPath, ...shortLivedProduct, "node_modules/@remix-run/serve/dist/cli.js", "build/server/index.js"]
      : options.timeouts === "production" || options.cwd !== undefined
        ? productCommand("production")
        : productCommand(testTimeouts(settings, options.timeouts));
  if (options.isProcessOne) command.unshift("unshare", ...ownProcesses);
  const words = options.diskMb ? onDiskOf(options.diskMb, folder, dataDir, command) : command;
  const { child, output } = spawnProduct(words, dataDir, { PORT: String(plainPort), ...settings }, options.cwd);
  const port = await readPort(child, output);
  return {
    url: `http://localhost:${port}`,
    pid: child.pid ?? 0,
    dataDir,
    output,
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

/**
 * Wraps the command so that it runs in a private mount namespace, where a disk has a copy of the folder; `exec` keeps
 * the process id.
 */
function onDiskOf(megabytes: number, folder: string, disk: string, command: string[]): string[] {
  const script = 'mount -t tmpfs -o "size=$1m" tmpfs "$3" && cp -a "$2/." "$3" && shift 3 && exec "$@"';
  return ["unshare", ...ownMounts, "sh", "-c", script, "sh", String(megabytes), folder, disk, ...command];
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
