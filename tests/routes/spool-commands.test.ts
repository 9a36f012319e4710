import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Product, makeDataDir, startProduct } from "../support/product";
import { Visitor, filledContactForm } from "../support/visitor";
import { type StubProject, answerJson, startStubProject } from "./support/stub-project";

let project: StubProject;
let settings: Record<string, string>;
let dataDir: string;
let product: Product | undefined;

/** An earlier process has kept one message. */
beforeAll(async () => {
  project = await startStubProject(answerJson(503, { message: "away" }));
  settings = { ...project.settings, CONTACT_SPOOL: "1" };
  dataDir = await makeDataDir();
  const earlier = await startProduct(settings, { dataDir });
  await new Visitor(earlier.url).post("/contact", filledContactForm);
  await earlier.kill();
  if ((await listFolder()).length !== 1) throw new Error("The message was not kept.");
  project.become(answerJson(200, { ok: true }));
  project.calls.length = 0;
});
afterAll(async () => {
  await product?.stop();
  project?.close();
});
const listFolder = () => readdir(join(dataDir, "contact-spool"));
const deliveries = () => project.calls.filter(({ path }) => path.startsWith("/functions/"));

it("is not delivered by a command that travels in the same build, however long that takes", async () => {
  const env = { NODE_ENV: "production" as const, PATH: process.env.PATH, DATA_DIR: dataDir, ...settings };
  // What a long command does, without its work: it has the build loaded, and lives.
  const command = 'await import("./build/server/index.js"); await new Promise((done) => setTimeout(done, 4_000));';
  await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", command], { env });
  expect(deliveries()).toEqual([]);
  expect(await listFolder()).toHaveLength(1);
});

it("is delivered under stock remix-serve once somebody visits, and needs no other message", async () => {
  product = await startProduct(settings, { dataDir, server: "plain" });
  await fetch(`${product.url}/about`);
  await expect.poll(listFolder, { timeout: 30_000 }).toEqual([]);
  expect(deliveries()).toHaveLength(1);
});
