import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { filledDataRightsForm, filledLetterForm } from "../../support/data-rights";
import { findTag } from "../../support/page-source";
import { type Visitor, filledContactForm, readText } from "../../support/visitor";
import { newClient, signInAdmin, useSite } from "../support/world";

const site = useSite({ TRUSTED_PROXIES: "1" });

type Fields = Record<string, string>;
const asVisitor = (path: string, fields: Fields) => site.post(path, fields, newClient());
const asAdmin = async (path: string, fields: Fields) => (await signInAdmin(site)).post(path, fields);

/** Every form with an email address except sign-in. */
const forms: Record<string, (fields: Fields) => ReturnType<Visitor["post"]>> = {
  contact: (fields) => asVisitor("/contact", { ...filledContactForm, ...fields }),
  "data rights": (fields) => asVisitor("/data-rights", { ...filledDataRightsForm, ...fields }),
  "forgotten password": (fields) => asVisitor("/login/forgotten", fields),
  "lost link": (fields) => asVisitor("/network", fields),
  invitation: (fields) => asAdmin("/admin/people", { intent: "invite", ...fields }),
  "entered request": (fields) => asAdmin("/admin/requests/new", { ...filledLetterForm(), ...fields }),
};

describe.each(Object.entries(forms))("the form %s", (_name, send) => {
  it("keeps a wrong address with the reason, and asks once about one that looks mistyped", async () => {
    const wrong = await send({ email: "ådå@firm.example" });
    expect([wrong.status, readText(wrong.html)]).toEqual([400, expect.stringContaining("with “å” before the @")]);
    expect(findTag(wrong.html, "input", { name: "email" })?.attributes.value).toBe("ådå@firm.example");
    const local = `ada-${randomUUID().slice(0, 8)}`;
    const email = `${local}@gmial.com`;
    const first = await send({ email });
    expect(first.status).toBe(400);
    expect(readText(first.html)).toContain(`Did you mean ${local}@gmail.com?`);
    expect(findTag(first.html, "button", { name: "emailMeant" })?.attributes.value).toBe(`${local}@gmail.com`);
    expect(findTag(first.html, "input", { name: "emailAsked" })?.attributes.value).toBe(email);
    expect((await send({ email, emailAsked: email })).status).toBe(303);
    expect((await send({ email, emailAsked: email, emailMeant: "ada@gmial.com" })).status).toBe(400);
    expect((await send({ email, emailMeant: `${local}@gmail.com` })).status).toBe(303);
  });
});

const postTypo = (fields: Fields) =>
  asVisitor("/contact", { ...filledContactForm, email: "ada@hotnail.com", ...fields });

it("asks about a typo along with other errors, not again while those are fixed, and about another typo", async () => {
  const first = readText((await postTypo({ name: "" })).html);
  expect(first).toContain("Enter your name");
  expect(first).toContain("Did you mean ada@hotmail.com?");
  const second = (await postTypo({ name: "", emailAsked: "ada@hotnail.com" })).html;
  expect(readText(second)).not.toContain("Did you mean");
  expect(findTag(second, "input", { name: "emailAsked" })?.attributes.value).toBe("ada@hotnail.com");
  const another = await postTypo({ name: "", email: "ada@gmail.con", emailAsked: "ada@hotnail.com" });
  expect(readText(another.html)).toContain("Did you mean");
});

it.each(["admin@gmial.com", "a..b@intranet"])("tries the address %s at sign-in without a question", async (email) => {
  const { status, html } = await asVisitor("/login", { email, password: "not this one" });
  expect([status, readText(html)]).toEqual([401, expect.stringContaining("Login failed")]);
});
