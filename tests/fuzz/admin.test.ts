import { randomUUID } from "node:crypto";
import * as fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { filledDataRightsForm, readRequestLinks } from "../support/data-rights";
import { Visitor, filledContactForm } from "../support/visitor";
import type { Attempt } from "./support/ask";
import { badForms } from "./support/forms";
import { useFuzzedSite } from "./support/fuzzed-site";
import { checkAttempts, requireHarmless, share } from "./support/prove";
import { anyText } from "./support/texts";

const product = useFuzzedSite();
const letter = randomUUID();
let cookie: string;
let message: string;
let request: string;

beforeAll(async () => {
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
  const find = async (path: string, id: RegExp) => {
    const [, found] = id.exec((await admin.get(path)).html) ?? [];
    if (found === undefined) throw new Error(`no entry in ${path}`);
    return found;
  };
  message = await find("/admin", /id="submission-([0-9a-f-]{36})"/);
  request = await find("/admin/requests", /\/admin\/requests\/([0-9a-f-]{36})/);
});

const letterForm = { letter, subject: "News", body: "Dear {name},", toStates: "admitted", seen: "1" };

/** Forms of the signed-in admin. Their ids exist, so that attempts reach the database. */
const forms: [number, () => string, () => Record<string, string>][] = [
  [350, () => "/admin", () => ({ intent: "mark", id: message, state: "done" })],
  [150, () => "/admin?filter=spam", () => ({ intent: "restore", id: message })],
  [150, () => "/admin/requests", () => ({ search: "orbit" })],
  [300, () => `/admin/requests/${request}`, () => ({ intent: "note", text: "Seen." })],
  [300, () => "/admin/network/letters/new", () => ({ intent: "save", ...letterForm })],
  [150, () => `/admin/network/letters/${letter}/check`, () => ({ intent: "send", number: "1", seen: "1" })],
  [150, () => `/admin/requests/${request}/package`, () => ({ format: "json" })],
];

describe("generated bad input of an admin", () => {
  it.each(forms)("is rejected clearly or carried out, %i times at %s", async (times, path, good) => {
    const attempts = badForms(good()).map(({ type, body }): Attempt => {
      return { method: "POST", path: path(), body, headers: { "Content-Type": type, Cookie: cookie } };
    });
    expect(await checkAttempts(product, attempts, share(times), requireHarmless)).toBe(share(times));
  });

  it("gets a response as folder, cursor, id and search term, and keeps the admin signed in", async () => {
    const part = fc.oneof(anyText, fc.uuid(), fc.date().map(String));
    const cursor = fc.oneof(
      anyText,
      fc.tuple(fc.constantFrom("next", "prev"), part, part).map((parts) => parts.join(".")),
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
    const answer = await fetch(`${product.url}/admin`, { headers: { Cookie: cookie }, redirect: "manual" });
    expect(answer.status).toBe(200);
  });
});
