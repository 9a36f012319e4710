import { randomUUID } from "node:crypto";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { filledDataRightsForm, readRequestLinks } from "../support/data-rights";
import { startSite, type TestSite } from "../support/site";
import { Visitor, filledContactForm } from "../support/visitor";
import type { Attempt } from "./support/ask";
import { badForms } from "./support/forms";
import { checkAttempts, requireHarmless, share } from "./support/prove";
import { anyText } from "./support/texts";

let product: TestSite;
let cookie: string;
let submissionId: string;
let requestId: string;
const letterId = randomUUID();

beforeAll(async () => {
  product = await startSite();
  const visitor = new Visitor(product.url);
  await visitor.post("/contact", filledContactForm);
  await visitor.post("/data-rights", filledDataRightsForm);
  const { confirm } = await readRequestLinks(product.dataDir, filledDataRightsForm.email);
  await visitor.post("/data-rights/confirm", { token: new URL(confirm, product.url).searchParams.get("token") ?? "" });
  const admin = new Visitor(product.url);
  const { headers } = await admin.signIn();
  cookie = headers
    .getSetCookie()
    .map((line) => line.split(";", 1)[0])
    .join("; ");
  submissionId = /id="submission-([0-9a-f-]{36})"/.exec((await admin.get("/admin")).html)?.[1] ?? "";
  requestId = /\/admin\/requests\/([0-9a-f-]{36})/.exec((await admin.get("/admin/requests")).html)?.[1] ?? "";
});
afterAll(async () => {
  await product.stop();
});

/** Forms of the signed-in admin. Their ids exist, so that attempts reach the database. */
const forms: [string, () => string, () => Record<string, string>, number][] = [
  ["message search and state", () => "/admin", () => ({ intent: "mark", id: submissionId, state: "done" }), share(350)],
  ["message restore", () => "/admin?filter=spam", () => ({ intent: "restore", id: submissionId }), share(150)],
  ["request search", () => "/admin/requests", () => ({ search: "orbit" }), share(150)],
  ["request note", () => `/admin/requests/${requestId}`, () => ({ intent: "note", text: "Seen." }), share(300)],
  [
    "letter",
    () => "/admin/network/letters/new",
    () => ({
      intent: "save",
      letter: letterId,
      subject: "News",
      body: "Dear {name},",
      toStates: "admitted",
      seen: "1",
    }),
    share(300),
  ],
  [
    "letter sending",
    () => `/admin/network/letters/${letterId}/check`,
    () => ({ intent: "send", number: "1", seen: "1" }),
    share(150),
  ],
  ["data package download", () => `/admin/requests/${requestId}/package`, () => ({ format: "json" }), share(150)],
];

describe("generated bad input in the admin's forms", () => {
  it("has a message and a request to work on", () => {
    expect([submissionId, requestId]).not.toContain("");
  });

  it.each(forms)("rejects each attempt clearly or carries it out: %s", async (_name, path, good, count) => {
    const attempts = badForms(good()).map(({ type, body }): Attempt => {
      return { method: "POST", path: path(), body, headers: { "Content-Type": type, Cookie: cookie } };
    });
    expect(await checkAttempts(product, attempts, count, requireHarmless)).toBe(count);
  });

  it("responds to any folder, cursor, id and search term", async () => {
    const cursor = fc.oneof(
      anyText,
      fc
        .tuple(fc.constantFrom("next", "prev"), fc.oneof(anyText, fc.date().map(String)), fc.oneof(anyText, fc.uuid()))
        .map((parts) => parts.join(".")),
      anyText.map((text) => `next.${Buffer.from(text).toString("base64url")}`),
    );
    const attempts = fc
      .tuple(
        fc.constantFrom("/admin", "/admin/requests", "/admin/submissions.csv", `/admin/requests/${randomUUID()}`),
        fc.oneof(fc.constantFrom("all", "new", "active"), anyText),
        cursor,
        fc.constantFrom("submissions", "requests"),
        anyText,
      )
      .map(([path, folder, page, list, term]): Attempt => {
        const query = new URLSearchParams({ folder, page });
        const search = `admin-search=${list}.${Buffer.from(term).toString("base64url")}`;
        return { method: "GET", path: `${path}?${query}`, headers: { Cookie: `${cookie}; ${search}` } };
      });
    expect(await checkAttempts(product, attempts, share(400), requireHarmless)).toBe(share(400));
  });

  it("keeps the admin signed in throughout", async () => {
    const answer = await fetch(`${product.url}/admin`, { headers: { Cookie: cookie }, redirect: "manual" });
    expect(answer.status).toBe(200);
  });
});
