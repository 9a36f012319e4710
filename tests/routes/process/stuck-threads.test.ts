import { readFile } from "node:fs/promises";
import { connect } from "node:net";
import { expect, it } from "vitest";
import { isEverything } from "../../support/everything";
import { findFreePort } from "../../support/free-port";
import { makeThreadFreezable } from "../../support/freezable-thread";
import { canBeProcessOne, testAdmin } from "../../support/product";
import { Visitor, filledContactForm } from "../../support/visitor";
import { openProduct } from "../support/world";

const polling = { timeout: 60_000, interval: 50 };
const loopTimeouts = { loopCheck: 100, loopSilence: 3_000 };

const readiness = (url: string) => fetch(`${url}/readyz`).then(({ status }) => status);

async function send(url: string, name = filledContactForm.name) {
  const { status, html } = await new Visitor(url).post("/contact", { ...filledContactForm, name });
  return { name, status, html };
}

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
  const { pid, url, output } = await openProduct(makeThreadFreezable("loop", "main"), { timeouts: loopTimeouts });
  await beginPost(url);
  process.kill(pid, "SIGUSR2");
  await expect.poll(() => isRunning(pid), polling).toBe(false);
  expect(output()).toMatch(/"event":"event-loop\.stuck","route":"\/contact","ms":3000/);
});

it.runIf(isEverything && canBeProcessOne())(
  "ends it where it is process 1 of a container, which ignores its own signals",
  async () => {
    const { pid } = await openProduct(makeThreadFreezable("loop", "main"), {
      timeouts: loopTimeouts,
      isProcessOne: true,
    });
    const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8");
    process.kill(Number(children), "SIGUSR2");
    await expect.poll(() => isRunning(pid), polling).toBe(false);
  },
);

it("replaces a stuck database thread: forms work again, and /readyz fails meanwhile", async () => {
  const timeouts = { threadProbe: 100, threadSilence: 5_000 };
  const { url, pid, output, stop } = await openProduct(makeThreadFreezable("wait"), { timeouts });
  await expect.poll(() => readiness(url), polling).toBe(200);
  process.kill(pid, "SIGUSR2");
  await expect.poll(() => readiness(url), polling).toBe(503);
  const waiting = send(url);
  expect((await fetch(`${url}/about`)).status).toBe(200);
  expect(await waiting).toMatchObject({ status: 503 });
  await expect.poll(() => send(url), polling).toMatchObject({ status: 303 });
  expect(await readiness(url)).toBe(200);
  expect(output()).toMatch(/"event":"embedded\.thread-stuck","cause":"silent"/);
  expect(await stop()).toBe(0);
});

it.runIf(isEverything)("stops while the database thread is stuck", async () => {
  const { url, pid, output, stop } = await openProduct(makeThreadFreezable("wait"), { timeouts: { threadClose: 500 } });
  process.kill(pid, "SIGUSR2");
  await expect.poll(() => readiness(url), polling).toBe(503);
  expect(await stop()).toBe(0);
  expect(output()).toContain("embedded.not-closed");
});

/** A script that the product loads first: a signal terminates its newest thread, as running out of memory would. */
const endThreadOnSignal = `
  import { subscribe } from "node:diagnostics_channel";
  let newest;
  subscribe("worker_threads", ({ worker }) => (newest = worker));
  process.on("SIGUSR2", () => newest?.terminate());`;

it("restarts a dead database thread once without loss; a second death ends the process", async () => {
  const operatorPort = await findFreePort();
  const { url, pid, output, stop } = await openProduct({
    METRICS_PORT: String(operatorPort),
    // A new admin, who gets the password from the settings.
    ADMIN_EMAIL: "new@firm.example",
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(endThreadOnSignal)}`,
  });
  // The operator who opened this port sees its address.
  expect(output()).toContain(`Stats:  http://127.0.0.1:${operatorPort}/metrics`);
  const readBackend = async () => {
    const answer = await fetch(`http://127.0.0.1:${operatorPort}/readyz`);
    return [answer.status, ((await answer.json()) as { backend: string }).backend];
  };
  await expect.poll(readBackend).toEqual([200, "reachable"]);

  // During a stream of messages, so that some of them are in progress in the thread. A client may have eight of them
  // rendered at once.
  const sent = Array.from({ length: 8 }, (_, i) => send(url, `Visitor ${i}.`));
  await Promise.race(sent);
  process.kill(pid, "SIGUSR2");
  await expect.poll(readBackend, { interval: 5 }).toEqual([503, "starting"]);
  expect((await fetch(`${url}/about`)).status).toBe(200);
  await expect.poll(readBackend).toEqual([200, "reachable"]);
  expect(output()).toMatch(/"level":"error","event":"embedded\.thread-died"/);
  expect(output()).toContain("embedded.thread-restarted");
  const answers = [...(await Promise.all(sent)), await send(url, "Visitor last.")];
  expect(answers.at(-1)?.status).toBe(303);

  const inbox = await readInbox(url);
  for (const { name, status, html } of answers) {
    const isTextKept = html.includes(name);
    const copies = inbox.split(name).length - 1;
    // On a busy machine the render queue may be full; the browser then keeps the text.
    const wasQueueFull = status === 503 && html.includes("Nothing was saved");
    const refused = { status: 503, ...(wasQueueFull ? { copies: 0 } : { isTextKept: true }) };
    expect({ name, status, isTextKept, copies }).toMatchObject(status === 303 ? { copies: 1 } : refused);
  }

  process.kill(pid, "SIGUSR2");
  await expect.poll(output).toContain("process.crashed");
  expect(await stop()).toBe(1);
  expect(output()).not.toContain(testAdmin.password);
});

async function readInbox(url: string): Promise<string> {
  const admin = new Visitor(url);
  await admin.signIn({ ...testAdmin, email: "new@firm.example" });
  return (await admin.post("/admin/submissions.csv", { separator: "comma" })).html;
}
