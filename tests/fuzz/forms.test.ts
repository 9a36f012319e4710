import { randomUUID } from "node:crypto";
import * as fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { nameShownText } from "~/features/consent/record/consent-text.server";
import { filledDataRightsForm, readRequestLinks } from "../support/data-rights";
import { filledJoinForm } from "../support/network-links";
import { testAdmin } from "../support/site";
import { filledContactForm, Visitor } from "../support/visitor";
import { badForms } from "./support/forms";
import { ask, type Attempt, checkAttempts, requireQuietLog, requireSafeResponse, useFuzzedSite } from "./support/prove";
import { anyText } from "./support/texts";

const product = useFuzzedSite();

const token = "dGhpcyBpcyBub3QgYSB0b2tlbiBvZiBvdXJzIGF0IGFsbA";
const letter = randomUUID();

type Form = [times: number, path: string, good: Record<string, string>];

const formsOfVisitors: Form[] = [
  [1500, "/contact", filledContactForm],
  [1200, "/data-rights", filledDataRightsForm],
  [
    1500,
    "/consent",
    {
      choice: "save",
      analytics: "on",
      source: "dialog",
      text: nameShownText("dialog", false),
      page: "/",
      answer: "data",
    },
  ],
  [500, "/login", testAdmin],
  [500, "/contact?about=investors", filledJoinForm],
  [400, "/network", { email: "ada@fund.example" }],
  [400, `/network?token=${token}`, { token, intent: "change", name: "Ada", company: "Fund", fields: "ai", seen: "1" }],
  [400, "/data-rights/confirm", { token }],
  [400, "/data-rights/status", { token }],
  [200, "/logout", { nothing: "" }],
];

const letterForm = { letter, subject: "News", body: "Dear {name},", toStates: "admitted", seen: "1" };

/** Forms of the signed-in admin. The ids in place of `:message` and `:request` exist, so that attempts reach the database. */
const formsOfAdmins: Form[] = [
  [350, "/admin", { intent: "mark", id: ":message", state: "done" }],
  [150, "/admin?filter=spam", { intent: "restore", id: ":message" }],
  [150, "/admin/requests", { search: "orbit" }],
  [300, "/admin/requests/:request", { intent: "note", text: "Seen." }],
  [300, "/admin/network/letters/new", { intent: "save", ...letterForm }],
  [150, `/admin/network/letters/${letter}/check`, { intent: "send", number: "1", seen: "1" }],
  [150, "/admin/requests/:request/package", { format: "json" }],
];

let cookie: string;
let ids: { ":message": string; ":request": string };

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
  ids = {
    ":message": await find("/admin", /id="submission-([0-9a-f-]{36})"/),
    ":request": await find("/admin/requests", /\/admin\/requests\/([0-9a-f-]{36})/),
  };
});

const withIds = (text: string) => text.replace(/:(?:message|request)\b/, (name) => ids[name as keyof typeof ids]);

describe("generated bad input", () => {
  it.each([...formsOfVisitors, ...formsOfAdmins])(
    "is rejected clearly or carried out, %i times at %s",
    async (times, path, good) => {
      const form = Object.fromEntries(Object.entries(good).map(([name, value]) => [name, withIds(value)]));
      const session: Record<string, string> = path.startsWith("/admin") ? { Cookie: cookie } : {};
      // Posts to the page, like a browser without scripts, and to the address that its script uses.
      const targets = fc.constantFrom(path, path.replace(/(?=\?|$)/, ".data"));
      const attempts = fc.tuple(badForms(form), targets).map(([{ type, body }, target]): Attempt => {
        return { method: "POST", path: withIds(target), body, headers: { "Content-Type": type, ...session } };
      });
      await expect(checkAttempts(product, attempts, times)).resolves.toBeUndefined();
    },
  );

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
    await expect(checkAttempts(product, attempts, 400)).resolves.toBeUndefined();
    expect((await ask(product.url, { method: "GET", path: "/admin", headers: { Cookie: cookie } })).status).toBe(200);
  });
});

/** Bodies that generated attempts have found, with their effect at the time. */
const harmfulBodies: [string, string][] = [
  ["returned 500 for an unknown command", "name=Grace&__intent__=nonsense"],
  ["filled 4 GB of memory and crashed the product", "a%5B99999999%5D=1"],
  ["filled 4 GB of memory and crashed the product", "a%5B4294967295%5D=1"],
  ["nested a list 300 deep", `${"a%5B0%5D".repeat(300)}=1`],
  ["showed properties of Object.prototype", "toString=1&constructor=1&hasOwnProperty=1"],
  ["gathered a list in quadratic time", Array<string>(15_000).fill("a=1").join("&")],
];

describe("a body that once did harm", () => {
  it.each(harmfulBodies)("is harmless now in every form: %s", async (_harm, body) => {
    for (const [, path] of formsOfVisitors) {
      const begin = process.cpuUsage();
      const headers = { "Content-Type": "application/x-www-form-urlencoded" };
      const answer = await ask(product.url, { method: "POST", path, headers, body: Buffer.from(body) });
      requireSafeResponse(answer);
      expect(answer.body).not.toContain("SingleFetchFallback");
      // The site runs in this process.
      const { user, system } = process.cpuUsage(begin);
      expect((user + system) / 1_000).toBeLessThan(2_000);
    }
    requireQuietLog(product);
  });
});
