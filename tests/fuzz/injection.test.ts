import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import * as fc from "fast-check";
import PostalMime from "postal-mime";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startSite, testAdmin, type TestSite } from "../support/site";
import { Visitor, filledContactForm } from "../support/visitor";

let product: TestSite;

beforeAll(async () => {
  product = await startSite();
});
afterAll(async () => {
  await product.stop();
});

/** Characters that start a formula in spreadsheets (OWASP, "CSV injection"). */
const formulaStarts = ["=", "+", "-", "@", "\t=", "\r=", "\uff1d", "\uff0b", "\uff0d", "\uff20"];

/** Texts that start like a formula or try to add header lines to an email. */
const trick = fc.oneof(
  fc.tuple(fc.constantFrom(...formulaStarts), fc.string({ maxLength: 20 })).map((parts) => parts.join("")),
  fc
    .tuple(fc.string({ maxLength: 10 }), fc.constantFrom("\r\n", "\n", "\r", "\u2028", "\u0085", "%0d%0a"))
    .map(([text, end]) => `${text}x${end}Bcc: victim@evil.example${end}${end}body`),
);

describe("texts with a meaning for spreadsheets or mail programs", () => {
  it("reach both as plain text only", async () => {
    const messages = fc.sample(fc.record({ name: trick, company: trick, stage: trick, goal: trick, message: trick }), {
      numRuns: 60,
      seed: 20_261_121,
    });
    const visitor = new Visitor(product.url);
    for (const message of messages) {
      const { status } = await visitor.post("/contact", { ...filledContactForm, ...message });
      expect([303, 400], JSON.stringify(message)).toContain(status);
    }
    for (const email of ["a@b.example\r\nBcc: victim@evil.example", "<a@b.example>, <victim@evil.example>"]) {
      expect((await visitor.post("/contact", { ...filledContactForm, email })).status).toBe(400);
    }
    await requireHarmlessCsv();
    await requireHarmlessMails();
  });
});

async function requireHarmlessCsv(): Promise<void> {
  const admin = new Visitor(product.url);
  await admin.signIn();
  const { status, html: csv } = await admin.post("/admin/submissions.csv", { separator: "comma" });
  expect(status).toBe(200);
  const cells = readCells(csv.replace(/^\ufeff/, ""));
  expect(cells.length).toBeGreaterThan(300);
  for (const cell of cells) expect(cell).not.toMatch(/^(?:[\t\r]|[\s\p{C}]*[=+\-@\uff1d\uff0b\uff0d\uff20])/u);
}

async function requireHarmlessMails(): Promise<void> {
  const folder = join(product.dataDir, "mail");
  const known = new Set<string | undefined>([testAdmin.email, filledContactForm.email]);
  let count = 0;
  await expect
    .poll(async () => (count = (await listMails(folder)).length) === (await listMails(folder)).length && count > 60, {
      timeout: 20_000,
    })
    .toBe(true);
  for (const name of await listMails(folder)) {
    const raw = await readFile(join(folder, name));
    const { to = [], cc, bcc, subject } = await PostalMime.parse(raw);
    expect(cc ?? [], name).toEqual([]);
    expect(bcc ?? [], name).toEqual([]);
    expect(to).toHaveLength(1);
    expect(known).toContain(to[0]?.address);
    expect(subject).not.toMatch(/[\r\n]/);
    expect(raw.toString("latin1").split("\r\n\r\n", 1)[0]).not.toMatch(/^bcc:/im);
  }
}

async function listMails(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(() => [])).filter((name) => /^[^.].*\.eml$/.test(name));
}

/** Reads all cells of a table (RFC 4180). */
function readCells(csv: string): string[] {
  return [...csv.matchAll(/(?:^|,|\r\n)(?:"((?:[^"]|"")*)"|([^,\r\n]*))/g)].map(
    ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? "",
  );
}
