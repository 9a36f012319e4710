import { describe, expect, it } from "vitest";
import type { Person } from "../database/support/test-backend.ts";
import { useWorld } from "./support/world.ts";

const world = useWorld();

const bootstrap = (token?: string) =>
  world.ask("bootstrap-admin", undefined, token ? { authorization: `Bearer ${token}` } : {});

const isAdmin = async ({ token }: Person) =>
  (await world.client(token).rpc("admin_standing").throwOnError()).data === "admin";

describe("bootstrap-admin", () => {
  it("grants the role to a confirmed address on the list, regardless of case, and repeatedly", async () => {
    const person = await world.signIn();
    expect(await isAdmin(person)).toBe(false);
    world.settings.ADMIN_EMAILS = ` other@example.com , ${person.email.toUpperCase()} `;
    expect(await bootstrap(person.token)).toEqual([200, { ok: true }]);
    expect(await bootstrap(person.token)).toEqual([200, { ok: true }]);
    expect(await isAdmin(person)).toBe(true);
  });

  it.each<[string, (person: Person) => string | undefined]>([
    ["nobody on the list", () => undefined],
    ["an empty list", () => ",, ,"],
    ["similar addresses on the list", ({ email }) => `x${email}, ${email}.example`],
  ])("grants no role with %s", async (_case, list) => {
    const person = await world.signIn();
    world.settings.ADMIN_EMAILS = list(person);
    expect(await bootstrap(person.token)).toEqual([403, { error: "forbidden" }]);
    expect(await isAdmin(person)).toBe(false);
  });

  it.each<[string, (person: Person) => unknown]>([
    ["no token", () => undefined],
    ["nonsense", () => "nonsense"],
    ["a changed token", ({ token }) => `${token}x`],
    ["the publishable key", () => world.embedded.publishableKey],
    ["the secret key", () => world.embedded.secretKey],
    [
      "a signed-out token, whose signature is still valid",
      async ({ token }) => (await world.service.auth.admin.signOut(token, "local")).error ?? token,
    ],
    [
      "the token of an admin who was removed",
      async ({ id, token }) => {
        const revoked = `raw_app_meta_data || '{"admin_revoked": true}'`;
        await world.sql(`update auth.users set raw_app_meta_data = ${revoked} where id = $1`, [id]);
        return token;
      },
    ],
    [
      "the token of an unconfirmed address",
      async ({ id, token }) => {
        await world.sql("update auth.users set email_confirmed_at = null where id = $1", [id]);
        return token;
      },
    ],
  ])("gives the same refusal to a caller with %s", async (_case, take) => {
    const person = await world.signIn();
    world.settings.ADMIN_EMAILS = person.email;
    expect(await bootstrap((await take(person)) as string | undefined)).toEqual([403, { error: "forbidden" }]);
  });
});
