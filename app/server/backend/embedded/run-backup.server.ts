import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { BackupKeys, BackupBucket } from "~/lib/backup-settings";
import processFile from "virtual:backup-process";

/** Input of a backup process. */
export interface BackupJob {
  dataDir: string;
  keepDays: number;
  /** null: not encrypted */
  keys: BackupKeys | null;
  /** true to make a backup; false to copy existing ones only */
  makes: boolean;
  /** destination of copies; null: no copies, or not now */
  copies: BackupBucket | null;
  /** true if a start waits for it; otherwise it runs at the lowest priority */
  isAwaited: boolean;
}

/**
 * Result of a backup process. `failure` gives the cause without personal data. A backup made before the failure
 * remains.
 */
export interface BackupOutcome {
  made: { name: string; bytes: number; expired: number } | null;
  /** `newest`: the newest backup at the destination */
  copied: { newest: string | null; expired: number } | null;
  failure: Record<string, string> | null;
  /** names of unencrypted backups among encrypted ones, here or at the destination */
  unencrypted: string[];
}

/** Runs a backup job. @param signal cancels it; the next start removes what it has written by then */
export type RunBackup = (job: BackupJob, signal: AbortSignal) => Promise<BackupOutcome>;

/** A backup that takes longer is stuck, and would block the next ones. */
const longestMs = 6 * 60 * 60 * 1000;

/**
 * Makes a backup in a separate process that ends with it: packing and verifying take the memory of a second database
 * and a whole processor for seconds. The process gets no environment variables but NODE_ENV and the temporary folder.
 * @throws the signal's reason
 */
export const runBackup: RunBackup = async (job, signal) => {
  signal.throwIfAborted();
  const { NODE_ENV, TMPDIR, SystemRoot } = process.env;
  const child = fork(fileURLToPath(processFile), {
    env: { NODE_ENV, TMPDIR, SystemRoot },
    // Optimizing PostgreSQL's WebAssembly for a few seconds costs more than it saves. The other options are those of
    // the Dockerfile and of bin/load-build.mjs.
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
