import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { BackupKeys, CopyPlace } from "~/lib/backup-settings";
import processFile from "virtual:backup-process";

/** What a backup's process is told. */
export interface BackupJob {
  dataDir: string;
  keepDays: number;
  /** null: in plain */
  keys: BackupKeys | null;
  /** whether to make one; else there is only to copy what is there */
  makes: boolean;
  /** where copies go; null: nowhere, or not now */
  copies: CopyPlace | null;
  /** whether a start waits for it; else it runs at the lowest priority */
  isAwaited: boolean;
}

/** What came of it; `failure` says why not, without a word of anybody's data. What was made before a failure stays. */
export interface BackupOutcome {
  made: { name: string; bytes: number; expired: number } | null;
  /** `newest`: the newest backup that is elsewhere now */
  copied: { newest: string | null; expired: number } | null;
  failure: Record<string, string> | null;
  /** names of backups in plain that lie among encrypted ones, here or where copies go */
  unencrypted: string[];
}

/** Does what is ordered. @param signal gives it up: what it has written by then is removed by the next start */
export type RunBackup = (job: BackupJob, signal: AbortSignal) => Promise<BackupOutcome>;

/** A backup that takes longer hangs, and would keep the next ones from being made. */
const longestMs = 6 * 60 * 60 * 1000;

/**
 * Makes a backup in a process of its own, which ends with it: packing and verifying take a second database's memory and
 * all of a processor for seconds. It gets none of this process's environment but the temporary folder's place.
 * @throws the signal's reason
 */
export const runBackup: RunBackup = async (job, signal) => {
  signal.throwIfAborted();
  const { NODE_ENV, TMPDIR, SystemRoot } = process.env;
  const child = fork(fileURLToPath(processFile), {
    env: { NODE_ENV, TMPDIR, SystemRoot },
    // PostgreSQL's program need not be made fast for a few seconds: that would cost more than it brings. The others are those
    // of the Dockerfile and of bin/limit-memory.mjs.
    execArgv: ["--liftoff-only", "--v8-pool-size=1", "--wasm-num-compilation-tasks=1", "--heap-growing-percent=50"],
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    signal,
    killSignal: "SIGKILL",
  });
  let outcome: BackupOutcome | undefined;
  child.once("message", (message) => (outcome = message as BackupOutcome));
  child.on("error", () => {});
  const ended = once(child, "exit") as Promise<[number | null, NodeJS.Signals | null]>;
  child.send(job, () => {});
  const limit = setTimeout(() => child.kill("SIGKILL"), longestMs);
  const [code, killedBy] = await ended;
  clearTimeout(limit);
  signal.throwIfAborted();
  const failure = { error: "ProcessEnded", code: String(killedBy ?? code) };
  return outcome ?? { made: null, copied: null, failure, unencrypted: [] };
};
