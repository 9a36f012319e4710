import { type ChildProcess, execFile, spawn, type SpawnOptions } from "node:child_process";
import { once } from "node:events";
import { promisify } from "node:util";

const execFileAsync = promisify(execFile);

/** @throws with what the program wrote when it fails */
export async function run(file: string, args: string[], options: { uid?: number; gid?: number; cwd?: string } = {}) {
  const { stdout } = await execFileAsync(file, args, { maxBuffer: 64 * 1024 * 1024, ...options });
  return stdout;
}

/** A program that serves until it is stopped, or until the process that started it is gone, in whatever way. */
export interface Service {
  /** What it wrote so far, on both streams. */
  output(): string;
  stop(signal: "INT" | "TERM" | "KILL"): Promise<void>;
}

/**
 * Runs a program beside a watcher of standard input: a line there is the signal that stops the program, and its end
 * means that whoever started it was killed and could not say so.
 */
const guard = `
  exec 3<&0
  "$@" 3<&- &
  program=$!
  { read -r signal <&3; kill -"\${signal:-INT}" $program; } &
  watcher=$!
  wait $program
  code=$?
  kill $watcher
  exit $code`;

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
  const child = spawn("sh", ["-c", guard, "sh", file, ...args], {
    ...options,
    stdio: ["pipe", "pipe", "pipe"],
    // A terminal's Ctrl+C is for whoever started it, who stops it in its turn.
    detached: true,
  });
  const output: string[] = [];
  child.stdout?.on("data", (chunk: Buffer) => output.push(chunk.toString()));
  child.stderr?.on("data", (chunk: Buffer) => output.push(chunk.toString()));
  child.on("error", (error) => output.push(error.message));
  // It may have ended a moment before it is told to.
  child.stdin?.on("error", () => undefined);
  const stop: Service["stop"] = async (signal) => {
    if (hasEnded(child)) return;
    child.stdin?.end(`${signal}\n`);
    await once(child, "exit");
  };
  const deadline = Date.now() + 30_000;
  while (!(await isReady().catch(() => false))) {
    if (hasEnded(child) || Date.now() > deadline) {
      await stop("KILL");
      throw new Error(`${file} does not run:\n${output.join("")}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return { output: () => output.join(""), stop };
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null || child.pid === undefined;
}
