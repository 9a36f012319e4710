import { execFile } from "node:child_process";
import { mkdir, readdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, expect, it } from "vitest";
import { retention } from "~/content/facts";
import { type Product, makeDataDir, startProduct } from "../support/product";
import { Visitor, filledContactForm } from "../support/visitor";
import { type StubProject, answerJson, startStubProject } from "./support/stub-project";

let project: StubProject | undefined;
let product: Product | undefined;
afterEach(async () => {
  await product?.stop();
  project?.close();
});

/** Runs one of the operator's commands beside the product, as `npm run` does. */
async function operate(command: string, words: string[], settings: Record<string, string>): Promise<string> {
  const env = { NODE_ENV: "production" as const, PATH: process.env.PATH, ...settings };
  const { stdout } = await promisify(execFile)(process.execPath, ["bin/site.mjs", command, ...words], { env });
  return stdout;
}

it("brings a message that waited on a lost disk back from the backup, and delivers it", async () => {
  project = await startStubProject(answerJson(503, { message: "away" }));
  const lost = await makeDataDir();
  const settings = { ...project.settings, CONTACT_SPOOL: "1" };
  product = await startProduct(settings, { dataDir: lost });
  expect((await new Visitor(product.url).post("/contact", filledContactForm)).status).toBe(303);

  const next = await makeDataDir();
  const file = join(await makeDataDir(), "backup.tar.gz");
  const messages = /1 sealed message/;
  expect(await operate("backup", [file], { ...settings, DATA_DIR: lost })).toMatch(messages);
  expect(await operate("verify-backup", [file], settings)).toMatch(messages);
  expect(await operate("restore", [file], { ...settings, DATA_DIR: next })).toMatch(messages);
  await product.kill();

  project.become(answerJson(200, { ok: true }));
  project.calls.length = 0;
  product = await startProduct(settings, { dataDir: next });
  await expect.poll(() => readdir(join(next, "contact-spool")), { timeout: 30_000 }).toEqual([]);
  const deliveries = project.calls.filter(({ path }) => path === "/functions/v1/send-contact-email");
  expect(deliveries.map(({ body }) => JSON.parse(body) as unknown)).toEqual([
    expect.objectContaining({ message: filledContactForm.message, name: filledContactForm.name }),
  ]);
});

it("deletes what is past the time for which messages are kept, although nobody could read or deliver it", async () => {
  project = await startStubProject(answerJson(503, { message: "away" }));
  const dataDir = await makeDataDir();
  const folder = join(dataDir, "contact-spool");
  await mkdir(folder);
  const years = { past: retention.contactSubmissionYears, present: retention.contactSubmissionYears - 0.1 };
  for (const [name, ago] of Object.entries(years)) {
    const time = new Date(Date.now() - ago * 366 * 24 * 3600 * 1000);
    await writeFile(join(folder, `${name}.sealed`), "sealed by a secret that is lost");
    await utimes(join(folder, `${name}.sealed`), time, time);
  }
  const started = await startProduct({ ...project.settings, CONTACT_SPOOL: "1" }, { dataDir });
  product = started;
  await expect.poll(() => readdir(folder), { timeout: 30_000 }).toEqual(["present.sealed"]);
  const told = '"event":"contact.spool-expired","messages":1';
  await expect.poll(() => started.output(), { timeout: 10_000 }).toContain(told);
});
