import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import type { Timeouts } from "~/server/config/timeouts.server";
import { findFreePort } from "../../support/free-port";
import { productCommand, spawnProduct } from "../../support/product";
import { testTimeouts } from "../../support/test-timeouts";

/**
 * Settings that hold the opening of a product's database until SIGUSR2, so that startup lasts as long as a test needs.
 * The product loads the script before anything else; messages to a new thread are delayed until the signal.
 */
export const opensOnSignal = {
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(`
    import { subscribe } from "node:diagnostics_channel";
    subscribe("worker_threads", ({ worker }) => {
      const held = [];
      worker.postMessage = (...words) => held.push(words);
      process.once("SIGUSR2", () => {
        delete worker.postMessage;
        for (const words of held) worker.postMessage(...words);
      });
    });`)}`,
};

/**
 * Starts the built product on a folder and returns after its first response, with any status.
 * @returns `output`: everything printed so far, stdout and stderr; `ready` resolves when it has printed that it is ready,
 *   `ended` with its exit code
 * @throws with the complete output, when it exits earlier
 */
export async function startEarly(dataDir: string, settings: Record<string, string> = {}, timeouts?: Partial<Timeouts>) {
  const port = await findFreePort();
  const command = productCommand(testTimeouts(settings, timeouts));
  const { child, output } = spawnProduct(command, dataDir, { PORT: String(port), ...settings });
  const ready = new Promise<void>((resolve) => {
    child.stdout.on("data", () => {
      if (/^Ready: /m.test(output())) resolve();
    });
  });
  const ended = once(child, "close").then(([code]) => code as number | null);
  const url = `http://localhost:${port}`;
  await waitForResponse(url, child, output);
  return { url, output, ready, ended, signal: (name: NodeJS.Signals) => void child.kill(name) };
}

async function waitForResponse(url: string, child: ChildProcess, printed: () => string): Promise<void> {
  for (;;) {
    const responds = await fetch(`${url}/healthz`).then(
      () => true,
      () => false,
    );
    if (responds) return;
    if (child.exitCode !== null) throw new Error(`The product ended at once:\n${printed()}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
