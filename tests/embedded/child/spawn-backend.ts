import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { shortLived } from "../../support/short-lived";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** The backend bundled for a process of its own. Inside node_modules, so that it finds its packages. */
export interface BackendProgram {
  start(dataDir: string): BackendProcess;
  /** Kills what still runs and removes the program. */
  remove(): Promise<void>;
}

/** Builds the program once for a test file; Vite is needed because the backend takes its migrations from a glob. */
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

/** One running (or killed) backend process and the lines it said. */
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

  /** Resolves with the first line that starts so. @throws when the process ends without it */
  async line(start: string): Promise<string> {
    for (;;) {
      const found = this.lines.find((line) => line.startsWith(start));
      if (found !== undefined) return found;
      if (this.#process.exitCode !== null || this.#process.signalCode !== null) {
        await this.#ended;
        const last = this.lines.find((line) => line.startsWith(start));
        if (last !== undefined) return last;
        throw new Error(`The backend process ended without "${start}". It said: ${this.lines.join(" | ")}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  tell(command: string): void {
    this.#process.stdin?.write(`${command}\n`);
  }

  /** Ends it as a power switch would, and resolves when it is gone and all it said is in `lines`. */
  async kill(): Promise<void> {
    this.#process.kill("SIGKILL");
    await this.#ended;
  }

  /** Resolves with the exit code once it ended by itself. */
  async ended(): Promise<number | null> {
    await this.#ended;
    return this.#process.exitCode;
  }
}
