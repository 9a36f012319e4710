import { setTimeout as wait } from "node:timers/promises";
import { afterEach, expect, it } from "vitest";
import { type Product, startProduct } from "../support/product";
import { makeThreadFreezable } from "../support/freezable-thread";
import { Visitor, filledContactForm } from "../support/visitor";

let product: Product | undefined;
afterEach(async () => {
  await product?.kill();
  product = undefined;
});

const send = (url: string) => new Visitor(url).post("/contact", filledContactForm).then(({ status }) => status);

it("serves forms within a minute after an endless loop in the database's thread, and exits after a second one", async () => {
  product = await startProduct(makeThreadFreezable("loop"), { timeouts: "production" });
  const { url, pid, output } = product;
  process.kill(pid, "SIGUSR2");
  await wait(1_000);
  expect(await send(url)).toBe(503);
  await expect.poll(() => send(url), { timeout: 60_000, interval: 1_000 }).toBe(303);
  process.kill(pid, "SIGUSR2");
  await expect.poll(output, { timeout: 60_000, interval: 1_000 }).toContain("process.crashed");
  expect(await product.stop()).toBe(1);
});

it("restarts nothing after the whole process was stopped for a minute", async () => {
  product = await startProduct({}, { timeouts: "production" });
  const { url, pid, output } = product;
  await wait(6_000);
  process.kill(pid, "SIGSTOP");
  await wait(60_000);
  process.kill(pid, "SIGCONT");
  expect(await send(url)).toBe(303);
  await wait(40_000);
  expect(await send(url)).toBe(303);
  expect(output()).not.toMatch(/thread-(?:stuck|died)|event-loop/);
});
