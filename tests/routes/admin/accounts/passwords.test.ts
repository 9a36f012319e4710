import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startSite, testAdmin, type TestSite } from "../../../support/site";
import { makeSiteFolder } from "../../../support/site-folder";
import { hashCheaply } from "../../../support/test-admin";
import { Visitor, leadsTo, readText } from "../../../support/visitor";

/** One password, as Windows and as macOS may send it. */
const composed = "Gänsefüßchen und Rad".normalize("NFC");
const inParts = composed.normalize("NFD");
/** A legacy account: its password was stored as typed, and no form would accept its address today. */
const old = { email: "boss@intranet", password: inParts };
/** Its password has the maximum length for bcrypt. */
const full = { email: "full@firm.example", password: "k7 frost Lantern ".repeat(5).slice(0, 72) };

let product: TestSite;
let lastHost = 0;

beforeAll(async () => {
  const dataDir = await makeSiteFolder();
  const database = await PGlite.create(join(dataDir, "pg"));
  for (const { email, password } of [old, full])
    await database.query(
      `insert into auth.users (id, aud, role, email, encrypted_password, email_confirmed_at, raw_app_meta_data, raw_user_meta_data)
       values ($1, 'authenticated', 'authenticated', $2, $3, now(), '{"provider": "email", "providers": ["email"]}', '{}')`,
      [randomUUID(), email, await hashCheaply(password)],
    );
  await database.query(
    "insert into public.user_roles (user_id, role) select id, 'admin' from auth.users where email = any($1)",
    [[old.email, full.email]],
  );
  await database.close();
  product = await startSite({ TRUSTED_PROXIES: "1" }, { dataDir });
});
afterAll(() => product.stop());

async function signIn(email: string, password: string): Promise<[number, Visitor]> {
  const visitor = new Visitor(product.url);
  const address = { "X-Forwarded-For": `203.0.113.${++lastHost}` };
  return [(await visitor.post("/login", { email, password }, address)).status, visitor];
}

it("signs in a legacy account with an unnormalized password and an invalid address", async () => {
  const [status, visitor] = await signIn(old.email, old.password);
  expect(status).toBe(303);
  expect((await visitor.get("/admin")).status).toBe(200);
  expect((await signIn(old.email, "Gansefuesschen und Rad"))[0]).toBe(401);
});

it("confirms an unnormalized password before a sensitive action", async () => {
  const [, visitor] = await signIn(old.email, old.password);
  expect((await visitor.post("/admin/confirm", { password: "Gansefuesschen" })).status).toBe(401);
  expect((await visitor.post("/admin/confirm", { password: old.password })).status).toBe(303);
});

it("accepts a password of 72 bytes exactly, and nothing longer", async () => {
  const longest = full.password;
  expect((await signIn(full.email, longest))[0]).toBe(303);
  expect((await signIn(full.email, `${longest}x`))[0]).toBe(401);
});

it("refuses a new password made of the person's or the firm's own words", async () => {
  const [, visitor] = await signIn(testAdmin.email, testAdmin.password);
  const change = { intent: "change-password", currentPassword: testAdmin.password };
  for (const word of [`${testAdmin.email}-2026`, "Vital Line Advisory!"]) {
    const form = { ...change, newPassword: word, repeatedPassword: word };
    const { status, html } = await visitor.post("/admin/account", form);
    expect([status, readText(html).includes("a name that others know")], word).toEqual([400, true]);
    const data = await visitor.post("/admin/account.data", form);
    expect([data.html.includes("a name that others know"), data.html.includes(word)]).toEqual([true, false]);
  }
});

it("stores a new password so that it works from any keyboard", async () => {
  const [, visitor] = await signIn(testAdmin.email, testAdmin.password);
  const change = { intent: "change-password", currentPassword: testAdmin.password };
  const changed = await visitor.post("/admin/account", { ...change, newPassword: inParts, repeatedPassword: composed });
  expect(leadsTo(changed)).toBe("/admin/account");
  expect((await signIn(testAdmin.email, composed))[0]).toBe(303);
  expect((await signIn(testAdmin.email, inParts))[0]).toBe(303);
});
