import { afterEach, expect, it } from "vitest";
import { type Product, startProduct } from "../../support/product";
import { makeThreadFreezable } from "../../support/freezable-thread";
import { Visitor, filledContactForm } from "../../support/visitor";

let product: Product | undefined;
afterEach(async () => {
  await product?.kill();
  product = undefined;
});

const send = (url: string) => new Visitor(url).post("/contact", filledContactForm).then(({ status }) => status);
const readiness = (url: string) => fetch(`${url}/readyz`).then(({ status }) => status);

it("replaces a stuck database thread: forms work again within a minute, /readyz fails meanwhile", async () => {
  product = await startProduct(makeThreadFreezable("wait"));
  const { url, pid, output } = product;
  await expect.poll(() => readiness(url), { timeout: 20_000 }).toBe(200);
  process.kill(pid, "SIGUSR2");
  await expect.poll(() => readiness(url), { timeout: 5_000 }).toBe(503);
  expect(await send(url)).toBe(503);
  expect((await fetch(`${url}/about`)).status).toBe(200);
  await expect.poll(() => send(url), { timeout: 60_000, interval: 1_000 }).toBe(303);
  expect(await readiness(url)).toBe(200);
  expect(output()).toMatch(/"event":"embedded\.thread-stuck","cause":"silent"/);
  expect(await product.stop()).toBe(0);
});

it("stops in time while the database thread is stuck", async () => {
  product = await startProduct(makeThreadFreezable("wait"));
  const { url, pid, output } = product;
  process.kill(pid, "SIGUSR2");
  await expect.poll(() => readiness(url), { timeout: 5_000 }).toBe(503);
  const begin = performance.now();
  expect(await product.stop()).toBe(0);
  expect(performance.now() - begin).toBeLessThan(30_000);
  expect(output()).toContain("embedded.not-closed");
});
