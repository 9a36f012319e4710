import { randomUUID } from "node:crypto";
import { beforeEach, expect, it } from "vitest";
import { digestOfToken, newSecretToken } from "#supabase/functions/_shared/secret-token.ts";
import { eachBackend } from "../support/backends.ts";
import { type Admin, call, newAdmin } from "../support/admin.ts";
import { newAddress } from "../support/data-rights.ts";
import { countRows, keepRetention, setRows } from "../support/retention.ts";
import type { Person } from "../support/test-backend.ts";

const mail = { subject: "Become an admin", body: "Open https://firm.example/login/password?token=abc" };

interface People {
  admins: { id: string; email: string; is_self: boolean; sessions: number; invitations: number; events: Event[] }[];
  invitations: { id: string; email: string; events: Event[] }[];
  others: { email: string; events: Event[] }[];
}
type Event = { action: string; person: string | null; by: string | null };

const readPeople = (admin: Admin): Promise<People> => admin.call("read_people");

/**
 * Invites an address.
 * @returns the token of the invitation mail, and its digest
 */
async function invite(admin: Admin, email: string) {
  const token = newSecretToken();
  const token_hash = await digestOfToken(token);
  await admin.rpc("invite_admin", { email, token_hash, mail }).throwOnError();
  return { token, token_hash };
}

eachBackend("admin accounts", (backend) => {
  // Invitations are limited per day.
  beforeEach(() =>
    backend.exec(`select set_config('private.erases_log', 'on', false); delete from public.admin_events;
      select set_config('private.erases_log', 'off', false);`),
  );

  const isAdmin = async ({ token }: Person) => (await call(backend.client(token), "admin_standing")) === "admin";

  const open = ({ token }: { token: string }) => call(backend.client(), "find_account_link", { token });
  const opens = async (link: { token: string }) => (await open(link)).length === 1;
  const claim = (token_hash: string) => call(backend.service, "claim_account_link", { token_hash });
  const grantNamed = (user_id: string) => call(backend.service, "grant_named_admin", { user_id });
  const remove = (where: string, id: string) => backend.sql(`delete from ${where} = $1 returning 1`, [id]);

  const expire = (email: string, at: string) =>
    setRows(backend, "private.account_links", email, `expires_at = ${at}`, "email");

  async function accept(token_hash: string, { id: user_id }: Person) {
    expect(await claim(token_hash)).toMatchObject([{ purpose: "invitation", user_id }]);
    await backend.service.rpc("finish_account_link", { token_hash, user_id }).throwOnError();
  }

  it("grants the role once per invitation and stores only the token's digest", async () => {
    const [admin, person] = [await newAdmin(backend), await backend.signIn()];
    const { token, token_hash } = await invite(admin, ` ${person.email.toUpperCase()} `);
    expect(await open({ token })).toEqual([{ purpose: "invitation", email: person.email }]);
    expect((await readPeople(admin)).invitations.map(({ email }) => email)).toContain(person.email);
    expect(JSON.stringify(await backend.sql("select * from private.account_links"))).not.toContain(token);

    await accept(token_hash, person);
    expect(await open({ token })).toEqual([]);
    expect(await claim(token_hash)).toEqual([]);
    const joined = (await readPeople(admin)).admins.find(({ id }) => id === person.id);
    expect(joined).toMatchObject({ email: person.email, is_self: false, sessions: 0 });
    expect(joined?.events).toMatchObject([
      { action: "admin-joined", person: person.email, by: person.email },
      { action: "admin-invited", person: person.email, by: admin.email },
    ]);
  });

  it("accepts one of several concurrent claims, and only for the invited person", async () => {
    const [person, other] = [await backend.signIn(), await backend.signIn()];
    const { token_hash } = await invite(await newAdmin(backend), person.email);
    const claims = await Promise.all([claim(token_hash), claim(token_hash), claim(token_hash)]);
    expect(claims.map(({ length }) => length).toSorted()).toEqual([0, 0, 1]);
    const wrong = { token_hash, user_id: other.id };
    expect(await call(backend.service, "finish_account_link", wrong)).toBe("P0002");
    await backend.service.rpc("release_account_link", { token_hash }).throwOnError();
    await accept(token_hash, person);
    expect(await isAdmin(other)).toBe(false);
  });

  it("ends an invitation after 72 hours, on a newer one, or on withdrawal with its mail", async () => {
    const admin = await newAdmin(backend);
    const email = newAddress();
    const first = await invite(admin, email);
    const second = await invite(admin, email);
    expect([await opens(first), await opens(second)]).toEqual([false, true]);
    const mails = () => backend.sql("select kind from private.email_outbox where recipient = $1", [email]);
    expect(await mails()).toEqual([{ kind: "account-link" }]);
    const lasts = "select (expires_at - made_at)::text as time from private.account_links where email = $1";
    expect(await backend.sql(lasts, [email])).toEqual([{ time: "3 days" }]);

    const { id } = (await readPeople(admin)).invitations.find((invitation) => invitation.email === email)!;
    await admin.call("withdraw_invitation", { invitation_id: id });
    expect(await opens(second)).toBe(false);
    expect(await mails()).toEqual([]);
    expect(await admin.call("withdraw_invitation", { invitation_id: id })).toBe("P0002");
    const former = (await readPeople(admin)).others.find((other) => other.email === email);
    const actions = former?.events.map(({ action }) => action);
    expect(actions).toEqual(["invitation-withdrawn", "admin-invited", "admin-invited"]);

    const third = await invite(admin, email);
    await expire(email, "now()");
    expect(await opens(third)).toBe(false);
    expect(await claim(third.token_hash)).toEqual([]);
    await expire(email, "now() - interval '25 hours'");
    await keepRetention(backend);
    expect(await countRows(backend, "private.account_links", email, "email")).toBe(0);
  });

  it("ends role and sessions on removal, of colleagues only; an invitation restores the role, a setting does not", async () => {
    const [admin, person] = [await newAdmin(backend), await newAdmin(backend)];
    expect(await isAdmin(person)).toBe(true);
    await admin.call("remove_admin", { user_id: person.id });
    expect(await isAdmin(person)).toBe(false);
    expect(await countRows(backend, "auth.sessions", person.id, "user_id")).toBe(0);
    expect(await grantNamed(person.id)).toBe(false);
    const former = (await readPeople(admin)).others.find(({ email }) => email === person.email);
    expect(former?.events).toMatchObject([{ action: "admin-removed", by: admin.email }]);
    expect(await admin.call("remove_admin", { user_id: person.id })).toBe("P0002");
    expect(await admin.call("remove_admin", { user_id: admin.id })).toBe("55000");

    const { token_hash } = await invite(admin, person.email);
    await accept(token_hash, person);
    expect(await grantNamed(person.id)).toBe(true);
    expect(await admin.call("invite_admin", { email: person.email, token_hash, mail })).toBe("42710");
  });

  it.each([
    ["removal by another admin", (admin: Admin, user_id: string) => admin.call("remove_admin", { user_id })],
    ["deletion of the role row", (_: Admin, id: string) => remove("public.user_roles where user_id", id)],
    ["deletion of the account", (_: Admin, id: string) => remove("auth.users where id", id)],
  ])("ends a removed admin's invitations, and no others, after %s", async (_by, removeAdmin) => {
    const [admin, insider] = [await newAdmin(backend), await newAdmin(backend)];
    const [late, early] = [newAddress(), newAddress()];
    const [backdoor, other] = [await invite(insider, early), await invite(admin, newAddress())];
    await invite(insider, late);
    await expire(late, "now()");
    const sent = (await readPeople(admin)).admins.map(({ id, invitations }) => [id, invitations]);
    expect(sent).toContainEqual([insider.id, 1]);

    await removeAdmin(admin, insider.id);
    expect([await opens(backdoor), await opens(other)]).toEqual([false, true]);
    expect(await claim(backdoor.token_hash)).toEqual([]);
    expect(await countRows(backend, "private.email_outbox", early, "recipient")).toBe(0);
    const { others } = await readPeople(admin);
    const actions = (email: string) => others.find((gone) => gone.email === email)?.events.map(({ action }) => action);
    expect(actions(early)).toEqual(["invitation-withdrawn", "admin-invited"]);
    expect(actions(late)).toEqual(["admin-invited"]);
  });

  it("accepts only existing roles for existing people, and deletes them with the person", async () => {
    const person = await backend.signIn();
    const insert = "insert into public.user_roles (user_id, role) values ($1, $2) returning user_id";
    await expect(backend.sql(insert, [person.id, "owner"])).rejects.toMatchObject({ code: "23514" });
    await expect(backend.sql(insert, [randomUUID(), "admin"])).rejects.toMatchObject({ code: "23503" });
    expect(await isAdmin(person)).toBe(false);
    await backend.sql(insert, [person.id, "admin"]);
    expect(await isAdmin(person)).toBe(true);
    await remove("auth.users where id", person.id);
    expect(await countRows(backend, "public.user_roles", person.id, "user_id")).toBe(0);
  });

  it("accepts twenty invitations a day, and rejects malformed mails and addresses", async () => {
    const admin = await newAdmin(backend);
    const invitation = { email: newAddress(), token_hash: await digestOfToken(newSecretToken()), mail };
    const twoLines = { subject: "Two\nlines", body: "x" };
    expect(await admin.call("invite_admin", { ...invitation, mail: twoLines })).toBe("22023");
    expect(await admin.call("invite_admin", { ...invitation, email: "nobody" })).toBe("23514");
    await backend.sql(
      "insert into public.admin_events (actor, action, person) select $1, 'admin-invited', 'x@example.com' from generate_series(1, 20) returning id",
      [admin.id],
    );
    expect(await admin.call("invite_admin", invitation)).toBe("54000");
  });
});
