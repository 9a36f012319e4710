import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { filledDataRightsForm, readMailsTo } from "../../support/data-rights";
import { findTag } from "../../support/page-source";
import { type TestSite, startSite } from "../../support/site";
import { Visitor, filledContactForm, readText } from "../../support/visitor";

let product: TestSite;
let admin: Visitor;

beforeAll(async () => {
  product = await startSite({ TRUSTED_PROXIES: "1" });
  admin = new Visitor(product.url);
  await admin.signIn();
});
afterAll(() => product.stop());

/** Each post comes from another client, because a client may request few new passwords. */
let lastHost = 0;
const newAddress = () => ({ "X-Forwarded-For": `203.0.113.${++lastHost}` });

type Fields = Record<string, string>;

/** Every form with an email address except sign-in. */
const forms: Record<string, (fields: Fields) => ReturnType<Visitor["post"]>> = {
  contact: (fields) => new Visitor(product.url).post("/contact", { ...filledContactForm, ...fields }),
  "data rights": (fields) => new Visitor(product.url).post("/data-rights", { ...filledDataRightsForm, ...fields }),
  "forgotten password": (fields) => new Visitor(product.url).post("/login/forgotten", fields, newAddress()),
  invitation: (fields) => admin.post("/admin/people", { intent: "invite", ...fields }),
  "entered request": (fields) =>
    admin.post("/admin/requests/new", {
      name: "By Letter",
      requestType: "access",
      description: "What do you hold?",
      channel: "letter",
      receivedOn: new Date().toISOString().slice(0, 10),
      ...fields,
    }),
};

describe.each(Object.entries(forms))("the address in the form %s", (_name, send) => {
  it.each([
    ["ada@gmail", "contains a dot"],
    ["ada@localhost", "contains a dot"],
    ["a..b@firm.example", "Check the dots"],
    [".a@firm.example", "Check the dots"],
    ["ada.@", "in the correct format"],
    ["ada@firm.c", "in the correct format"],
    ["ada@1.2.3.4", "Numbers alone do not work"],
    ["ådå@firm.example", "with “å” before the @"],
  ])("is refused with the reason and stays in the field: %s", async (email, reason) => {
    const { status, html } = await send({ email });
    expect(status).toBe(400);
    expect(readText(html)).toContain(reason);
    expect(findTag(html, "input", { name: "email" })?.attributes.value).toBe(email);
  });

  it.each(["info@münchen.example", "ada＠firm.example", "Ada <ada@firm.example>,", "ada@firm.example."])(
    "is accepted as pasted: %s",
    async (typed) => {
      const email = typed.replace(/(ada|info)(?=[@＠])/, `$1-${randomUUID().slice(0, 8)}`);
      expect((await send({ email })).status).toBe(303);
    },
  );

  it("is questioned once if it looks mistyped, and accepted when sent again", async () => {
    const local = `ada-${randomUUID().slice(0, 8)}`;
    const first = await send({ email: `${local}@gmial.com` });
    expect(first.status).toBe(400);
    expect(readText(first.html)).toContain(`Did you mean ${local}@gmail.com? Send again to keep it as it is.`);
    const questioned = findTag(first.html, "input", { name: "emailAsked" })?.attributes.value ?? "";
    expect(questioned).toBe(`${local}@gmial.com`);
    // Another typo is questioned again.
    const other = await send({ email: `${local}@gmail.con`, emailAsked: questioned });
    expect([other.status, readText(other.html)]).toEqual([400, expect.stringContaining("Did you mean")]);
    expect((await send({ email: `${local}@gmial.com`, emailAsked: questioned })).status).toBe(303);
    expect((await send({ email: `${local}@gmail.com` })).status).toBe(303);
  });
});

it("questions a typo along with other errors, and not again while those are fixed", async () => {
  const slip = { ...filledContactForm, email: "ada@hotnail.com", name: "" };
  const visitor = new Visitor(product.url);
  const first = await visitor.post("/contact", slip);
  expect(readText(first.html)).toContain("Enter your name");
  expect(readText(first.html)).toContain("Did you mean ada@hotmail.com?");
  const second = await visitor.post("/contact", { ...slip, emailAsked: "ada@hotnail.com" });
  expect(readText(second.html)).not.toContain("Did you mean");
  expect(findTag(second.html, "input", { name: "emailAsked" })?.attributes.value).toBe("ada@hotnail.com");
  const form = { ...slip, name: "Ada", emailAsked: "ada@hotnail.com" };
  expect((await visitor.post("/contact", form)).status).toBe(303);
});

it("stores and emails an international domain in its ASCII form", async () => {
  const local = `info-${randomUUID().slice(0, 8)}`;
  await new Visitor(product.url).post("/contact", { ...filledContactForm, email: `${local}@münchen.example` });
  expect((await admin.get("/admin")).html).toContain(`mailto:${local}@xn--mnchen-3ya.example`);
  const mails = () => readMailsTo(product.dataDir, `${local}@xn--mnchen-3ya.example`);
  await expect.poll(async () => (await mails()).length, { timeout: 20_000 }).toBe(1);
});

describe("the address at sign-in", () => {
  it.each(["admin@gmial.com", "a..b@intranet", "admin@localhost", "Admin <admin@firm.example>"])(
    "is tried without a question: %s",
    async (email) => {
      const { status, html } = await new Visitor(product.url).post("/login", { email, password: "not this one" });
      expect([status, readText(html)]).toEqual([401, expect.stringContaining("Login failed")]);
    },
  );
});
