import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, rm } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { beforeAll, expect, it } from "vitest";
import { makeDataDir, productCommand, productEnvironment, startProduct } from "../support/product";
import { readPeakMemoryMb } from "../abuse/watch-site";
import { Visitor } from "../support/visitor";

const kills = 20;

/** Time of a first start, in which the kills are spread. */
let startMs: number;
/** Peak memory of a first start, in MB. */
let firstMb: number;

beforeAll(async () => {
  const begunAt = performance.now();
  const product = await startProduct({}, { dataDir: await makeDataDir() });
  startMs = performance.now() - begunAt;
  firstMb = readPeakMemoryMb(product);
  await product.stop();
});

it("uses no more memory at its first start than at a later one", async () => {
  const product = await startProduct();
  // Initialization in the same process, instead of a child that exits, held over 90 MB more.
  expect(firstMb).toBeLessThan(readPeakMemoryMb(product) + 45);
  await product.stop();
});

it.each(Array.from({ length: kills }, (_, index) => [(index + 0.5) / kills]))(
  "is a site after a kill at %d of its first start",
  async (part) => {
    const dataDir = await makeDataDir();
    const [program = "", ...words] = productCommand("production");
    const child = spawn(program, words, { env: productEnvironment(dataDir, {}), stdio: "ignore" });
    const gone = once(child, "exit");
    await wait(part * startMs);
    child.kill("SIGKILL");
    await gone;
    const product = await startProduct({}, { dataDir });
    expect((await new Visitor(product.url).signIn()).status).toBe(303);
    expect(await readdir(dataDir)).toContain("started.json");
    expect(await product.stop()).toBe(0);
    await rm(dataDir, { recursive: true });
  },
);
