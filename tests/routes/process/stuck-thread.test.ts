import { expect, it } from "vitest";
import { isEverything } from "../../support/everything";
import { makeThreadFreezable } from "../../support/freezable-thread";
import { Visitor, filledContactForm } from "../../support/visitor";
import { openProduct } from "../support/world";

const polling = { timeout: 60_000, interval: 50 };
const send = (url: string) => new Visitor(url).post("/contact", filledContactForm).then(({ status }) => status);
const readiness = (url: string) => fetch(`${url}/readyz`).then(({ status }) => status);

it("replaces a stuck database thread: forms work again, and /readyz fails meanwhile", async () => {
  const timeouts = { threadProbe: 100, threadSilence: 5_000 };
  const { url, pid, output, stop } = await openProduct(makeThreadFreezable("wait"), { timeouts });
  await expect.poll(() => readiness(url), polling).toBe(200);
  process.kill(pid, "SIGUSR2");
  await expect.poll(() => readiness(url), polling).toBe(503);
  const waiting = send(url);
  expect((await fetch(`${url}/about`)).status).toBe(200);
  expect(await waiting).toBe(503);
  await expect.poll(() => send(url), polling).toBe(303);
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
