import { expect, it } from "vitest";
import { withDatabaseOf } from "../../../support/find-text";
import { startSite, testAdmin } from "../../../support/site";
import { makeSiteFolder } from "../../../support/site-folder";
import { hashCheaply } from "../../../support/test-admin";
import { type Visitor, leadsTo } from "../../../support/visitor";
import { expectPage } from "../support/pages";
import { openWorld } from "../support/world";

/** One password, as Windows and as macOS may send it. */
const composed = "Gänsefüßchen und Rad".normalize("NFC");
const inParts = composed.normalize("NFD");
/** A legacy account: its password was stored as typed, and no form would accept its address today. */
const old = { email: "boss@intranet", password: inParts };
/** Its password has the maximum length for bcrypt. */
const full = { email: "full@firm.example", password: "k7 frost Lantern ".repeat(5).slice(0, 72) };

const world = openWorld(async () => {
  const dataDir = await makeSiteFolder();
  await withDatabaseOf(dataDir, async (sql) => {
    for (const { email, password } of [old, full])
      await sql(
        `with person as (
           insert into auth.users (id, aud, role, email, encrypted_password, email_confirmed_at, raw_app_meta_data, raw_user_meta_data)
           values (gen_random_uuid(), 'authenticated', 'authenticated', $1, $2, now(),
             '{"provider": "email", "providers": ["email"]}', '{}') returning id)
         insert into public.user_roles (user_id, role) select id, 'admin' from person`,
        [email, await hashCheaply(password)],
      );
  });
  return startSite({ TRUSTED_PROXIES: "1" }, { dataDir });
});

let lastHost = 0;
async function signIn(email: string, password: string): Promise<[status: number, visitor: Visitor]> {
  const visitor = world.visitor();
  const address = { "X-Forwarded-For": `203.0.113.${++lastHost}` };
  return [(await visitor.post("/login", { email, password }, address)).status, visitor];
}

it("signs in a legacy account with an unnormalized password and an invalid address, and confirms that password", async () => {
  const [status, visitor] = await signIn(old.email, old.password);
  expect([status, (await visitor.get("/admin")).status]).toEqual([303, 200]);
  expect((await visitor.post("/admin/confirm", { password: old.password })).status).toBe(303);
  expect((await signIn(old.email, "Gansefuesschen und Rad"))[0]).toBe(401);
});

it("accepts a password of 72 bytes exactly, and nothing longer", async () => {
  expect((await signIn(full.email, full.password))[0]).toBe(303);
  expect((await signIn(full.email, `${full.password}x`))[0]).toBe(401);
});

const change = (newPassword: string, repeatedPassword = newPassword) => ({
  intent: "change-password",
  currentPassword: testAdmin.password,
  newPassword,
  repeatedPassword,
});

it.each([`${testAdmin.email}-2026`, "Vital Line Advisory!"])(
  "refuses the new password %s, which is made of the person's or the firm's own words",
  async (word) => {
    expectPage(await world.admin.post("/admin/account", change(word)), 400, "a name that others know");
    const { html } = await world.admin.post("/admin/account.data", change(word));
    expect([html.includes("a name that others know"), html.includes(word)]).toEqual([true, false]);
  },
);

it("stores a new password so that it works from any keyboard", async () => {
  expect(leadsTo(await world.admin.post("/admin/account", change(inParts, composed)))).toBe("/admin/account");
  for (const password of [composed, inParts]) expect((await signIn(testAdmin.email, password))[0]).toBe(303);
});
