import { type ChildProcess, execFile, spawn, type SpawnOptions } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { promisify } from "node:util";

const execFileAsync = promisify(execFile);

/** @throws with what the program wrote when it fails */
export async function run(file: string, args: string[], options: { uid?: number; gid?: number; cwd?: string } = {}) {
  const { stdout } = await execFileAsync(file, args, { maxBuffer: 64 * 1024 * 1024, ...options });
  return stdout;
}

/** A program that serves until it is stopped. */
export interface Service {
  /** What it wrote so far, on both streams. */
  output(): string;
  stop(signal: NodeJS.Signals): Promise<void>;
}

/**
 * Starts a program and waits until it answers.
 * @throws with what the program wrote when it ends early or is not ready in 30 s
 */
export async function startService(
  file: string,
  args: string[],
  options: SpawnOptions,
  isReady: () => Promise<boolean>,
): Promise<Service> {
  const child = spawn(file, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  const output: string[] = [];
  child.stdout?.on("data", (chunk: Buffer) => output.push(chunk.toString()));
  child.stderr?.on("data", (chunk: Buffer) => output.push(chunk.toString()));
  child.on("error", (error) => output.push(error.message));
  const killAtExit = () => child.kill("SIGKILL");
  process.once("exit", killAtExit);
  const stop = async (signal: NodeJS.Signals) => {
    process.off("exit", killAtExit);
    if (hasEnded(child)) return;
    child.kill(signal);
    await once(child, "exit");
  };
  const deadline = Date.now() + 30_000;
  while (!(await isReady().catch(() => false))) {
    if (hasEnded(child) || Date.now() > deadline) {
      await stop("SIGKILL");
      throw new Error(`${file} does not run:\n${output.join("")}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return { output: () => output.join(""), stop };
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null || child.pid === undefined;
}

/** A TCP port of the loopback address that nobody uses now. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (!address || typeof address === "string") throw new Error("no port");
  return address.port;
}
