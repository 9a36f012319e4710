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
  it("is refused with the reason and stays in the field, accepted as pasted, and questioned once", async () => {
    for (const [email, reason] of [
      ["ada@localhost", "contains a dot"],
      ["ådå@firm.example", "with “å” before the @"],
    ] as const) {
      const { status, html } = await send({ email });
      expect([email, status, readText(html)]).toEqual([email, 400, expect.stringContaining(reason)]);
      expect(findTag(html, "input", { name: "email" })?.attributes.value).toBe(email);
    }
    const local = `ada-${randomUUID().slice(0, 8)}`;
    expect((await send({ email: `Ada <${local}@firm.example>,` })).status).toBe(303);

    const first = await send({ email: `${local}@gmial.com` });
    expect(first.status).toBe(400);
    expect(readText(first.html)).toContain(`Did you mean ${local}@gmail.com? Send again to keep it as it is.`);
    const questioned = findTag(first.html, "input", { name: "emailAsked" })?.attributes.value ?? "";
    expect(questioned).toBe(`${local}@gmial.com`);
    expect((await send({ email: `${local}@gmial.com`, emailAsked: questioned })).status).toBe(303);
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
  const another = await visitor.post("/contact", { ...slip, email: "ada@gmail.con", emailAsked: "ada@hotnail.com" });
  expect(readText(another.html)).toContain("Did you mean");
  const form = { ...slip, name: "Ada", emailAsked: "ada@hotnail.com" };
  expect((await visitor.post("/contact", form)).status).toBe(303);
});

it("stores and emails an international domain in its ASCII form", async () => {
  const local = `info-${randomUUID().slice(0, 8)}`;
  await new Visitor(product.url).post("/contact", { ...filledContactForm, email: `${local}@münchen.example` });
  expect((await admin.get("/admin")).html).toContain(`mailto:${local}@xn--mnchen-3ya.example`);
  const mails = () => readMailsTo(product.dataDir, `${local}@xn--mnchen-3ya.example`);
  await expect.poll(async () => (await mails()).length).toBe(1);
});

describe("the address at sign-in", () => {
  it.each(["admin@gmial.com", "a..b@intranet"])("is tried without a question: %s", async (email) => {
    const { status, html } = await new Visitor(product.url).post("/login", { email, password: "not this one" });
    expect([status, readText(html)]).toEqual([401, expect.stringContaining("Login failed")]);
  });
});
