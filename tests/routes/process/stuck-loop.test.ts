import { readFile } from "node:fs/promises";
import { connect } from "node:net";
import { expect, it } from "vitest";
import { isEverything } from "../../support/everything";
import { findFreePort } from "../../support/free-port";
import { makeThreadFreezable } from "../../support/freezable-thread";
import { canBeProcessOne } from "../../support/product";
import { openProduct } from "../support/world";

const polling = { timeout: 60_000, interval: 100 };
const timeouts = { loopCheck: 100, loopSilence: 3_000 };

/** Begins a post whose body never ends, and waits until the site knows its route. */
async function beginPost(url: string): Promise<void> {
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname).on("error", () => {});
  const fields = [`Host: ${host}`, `Origin: ${url}`, "Content-Type: application/x-www-form-urlencoded"];
  socket.write(["POST /contact?name=Ada HTTP/1.1", ...fields, "Content-Length: 9", "", "name="].join("\r\n"));
  // Connections are served in the order in which they arrive. A later request that has ended is not blamed.
  await (await fetch(`${url}/startups`)).text();
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

it.runIf(isEverything)("logs and counts a held event loop, with the pattern of the route in flight", async () => {
  const port = await findFreePort();
  const product = await openProduct({ METRICS_PORT: String(port), ...makeThreadFreezable("second", "main") });
  await beginPost(product.url);
  process.kill(product.pid, "SIGUSR2");
  await expect.poll(product.output, polling).toMatch(/"event":"event-loop\.held","route":"\/contact","ms":\d+/);
  const figures = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  expect(figures).toMatch(/^site_event_loop_held_total [1-9]/m);
});

it("ends a process with an endless loop, and logs the pattern of the route in flight", async () => {
  const { pid, url, output } = await openProduct(makeThreadFreezable("loop", "main"), { timeouts });
  await beginPost(url);
  process.kill(pid, "SIGUSR2");
  await expect.poll(() => isRunning(pid), polling).toBe(false);
  expect(output()).toMatch(/"event":"event-loop\.stuck","route":"\/contact","ms":3000/);
});

it.runIf(isEverything && canBeProcessOne())(
  "ends it where it is process 1 of a container, which ignores its own signals",
  async () => {
    const { pid } = await openProduct(makeThreadFreezable("loop", "main"), { timeouts, isProcessOne: true });
    const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8");
    process.kill(Number(children), "SIGUSR2");
    await expect.poll(() => isRunning(pid), polling).toBe(false);
  },
);
