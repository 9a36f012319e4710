import { type ChildProcess, execFile, spawn, type SpawnOptions } from "node:child_process";
import { once } from "node:events";
import { promisify } from "node:util";

const execFileAsync = promisify(execFile);

/**
 * Runs a program to its end.
 * @returns its standard output
 * @throws with the program's output when it fails
 */
export async function run(file: string, args: string[], options: { uid?: number; gid?: number; cwd?: string } = {}) {
  const { stdout } = await execFileAsync(file, args, { maxBuffer: 64 * 1024 * 1024, ...options });
  return stdout;
}

/**
 * Runs a program together with a watcher of standard input. A line there names the signal that stops the program. End
 * of input means that the parent process was killed before it could send one.
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
 * Starts a program that runs until it is stopped, or until this process exits for any reason, and waits until it is ready.
 * @throws with the program's output when it exits early or is not ready within 30 s
 */
export async function startService(
  file: string,
  args: string[],
  options: SpawnOptions,
  isReady: () => Promise<boolean>,
) {
  const child = spawn("sh", ["-c", guard, "sh", file, ...args], {
    ...options,
    stdio: ["pipe", "pipe", "pipe"],
    // Keeps a terminal's Ctrl+C from this program: the parent process receives it and stops the program.
    detached: true,
  });
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk: Buffer) => output.push(chunk.toString()));
  child.on("error", (error) => output.push(error.message));
  // The program may have exited just before the signal is written.
  child.stdin?.on("error", () => undefined);
  const stop = async (signal: "INT" | "TERM" | "KILL") => {
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
  return {
    /** Returns the output so far, of both streams. */
    output: () => output.join(""),
    stop,
  };
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null || child.pid === undefined;
}
