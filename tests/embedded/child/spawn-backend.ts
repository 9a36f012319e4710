import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { shortLived } from "../../support/short-lived";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/**
 * The backend bundled to run in a separate process. The bundle is inside node_modules, so that it finds its packages.
 */
export interface BackendProgram {
  start(dataDir: string): BackendProcess;
  /** Kills running processes and removes the bundle. */
  remove(): Promise<void>;
}

/** Builds the bundle once per test file. Needs Vite because the backend imports its migrations by a glob. */
export async function buildBackendProgram(): Promise<BackendProgram> {
  const outDir = await mkdtemp(join(root, "node_modules/.backend-program-"));
  await build({
    configFile: false,
    root,
    logLevel: "warn",
    resolve: { alias: { "#supabase": join(root, "supabase") } },
    build: { ssr: join(root, "tests/embedded/child/backend-process.ts"), outDir, target: "node20", minify: false },
  });
  const started: BackendProcess[] = [];
  return {
    start(dataDir) {
      const child = new BackendProcess(join(outDir, "backend-process.js"), dataDir);
      started.push(child);
      return child;
    },
    async remove() {
      await Promise.all(started.map((child) => child.kill()));
      await rm(outDir, { recursive: true, force: true });
    },
  };
}

/** A running (or killed) backend process and its output. */
export class BackendProcess {
  readonly lines: string[] = [];
  readonly #process: ChildProcess;
  readonly #ended: Promise<unknown>;

  constructor(program: string, dataDir: string) {
    const child = spawn(process.execPath, [...shortLived, program, dataDir], { stdio: ["pipe", "pipe", "inherit"] });
    this.#process = child;
    const output = createInterface({ input: child.stdout });
    output.on("line", (line) => this.lines.push(line));
    this.#ended = Promise.all([once(child, "exit"), once(output, "close")]);
  }

  /** Resolves with the first line that has this prefix. @throws when the process exits without one */
  async line(start: string): Promise<string> {
    for (;;) {
      const found = this.lines.find((line) => line.startsWith(start));
      if (found !== undefined) return found;
      if (this.#process.exitCode !== null || this.#process.signalCode !== null) {
        await this.#ended;
        const last = this.lines.find((line) => line.startsWith(start));
        if (last !== undefined) return last;
        throw new Error(`The backend process ended without "${start}". Its output: ${this.lines.join(" | ")}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  send(command: string): void {
    this.#process.stdin?.write(`${command}\n`);
  }

  /** Kills the process like a power cut. Resolves when it is gone and `lines` holds all of its output. */
  async kill(): Promise<void> {
    this.#process.kill("SIGKILL");
    await this.#ended;
  }

  /** Resolves with the exit code after the process exits. */
  async ended(): Promise<number | null> {
    await this.#ended;
    return this.#process.exitCode;
  }
}
