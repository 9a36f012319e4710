import { randomUUID } from "node:crypto";
import { beforeEach, expect, it } from "vitest";
import { digestOfToken, newSecretToken } from "#supabase/functions/_shared/secret-token.ts";
import { eachBackend } from "../support/backends.ts";
import { newAddress } from "../support/data-rights.ts";
import { countRows, keepRetention, setRows } from "../support/retention.ts";
import { type Person, signInAdmin } from "../support/test-backend.ts";

const mail = { subject: "Become an admin", body: "Open https://firm.example/login/password?token=abc" };

interface People {
  admins: { id: string; email: string; is_self: boolean; sessions: number; invitations: number; events: Event[] }[];
  invitations: { id: string; email: string; events: Event[] }[];
  others: { email: string; events: Event[] }[];
}
type Event = { action: string; person: string | null; by: string | null };

eachBackend("admin accounts", (backend) => {
  // Invitations are limited per day.
  beforeEach(() =>
    backend.exec(`select set_config('private.erases_log', 'on', false); delete from public.admin_events;
      select set_config('private.erases_log', 'off', false);`),
  );

  const call = (person: Person | null, name: string, parameters: Record<string, unknown> = {}) =>
    backend.client(person?.token).rpc(name, parameters);
  const isAdmin = async (person: Person) => (await call(person, "admin_standing").throwOnError()).data === "admin";
  const readPeople = async (person: Person) => (await call(person, "read_people").throwOnError()).data as People;

  /**
   * Invites an address.
   * @returns the token of the invitation mail, and its digest
   */
  async function invite(admin: Person, email: string): Promise<{ token: string; token_hash: string }> {
    const token = newSecretToken();
    const token_hash = await digestOfToken(token);
    await call(admin, "invite_admin", { email, token_hash, mail }).throwOnError();
    return { token, token_hash };
  }

  const opens = async ({ token }: { token: string }) =>
    ((await call(null, "find_account_link", { token }).throwOnError()).data as unknown[]).length === 1;
  const remove = (where: string, id: string) => backend.sql(`delete from ${where} = $1 returning 1`, [id]);

  const expire = (email: string, at: string) =>
    setRows(backend, "private.account_links", email, `expires_at = ${at}`, "email");

  async function accept(token_hash: string, person: Person) {
    const claimed = await backend.service.rpc("claim_account_link", { token_hash }).throwOnError();
    expect(claimed.data).toMatchObject([{ purpose: "invitation", user_id: person.id }]);
    return backend.service.rpc("finish_account_link", { token_hash, user_id: person.id });
  }

  it("grants the role once per invitation and stores only the token's digest", async () => {
    const [admin, person] = [await signInAdmin(backend), await backend.signIn()];
    const { token, token_hash } = await invite(admin, ` ${person.email.toUpperCase()} `);
    const found = await call(null, "find_account_link", { token }).throwOnError();
    expect(found.data).toEqual([{ purpose: "invitation", email: person.email }]);
    expect((await readPeople(admin)).invitations.map(({ email }) => email)).toContain(person.email);
    expect(JSON.stringify(await backend.sql("select * from private.account_links"))).not.toContain(token);

    expect((await accept(token_hash, person)).error).toBeNull();
    expect((await call(null, "find_account_link", { token })).data).toEqual([]);
    expect((await backend.service.rpc("claim_account_link", { token_hash })).data).toEqual([]);
    const joined = (await readPeople(admin)).admins.find(({ id }) => id === person.id);
    expect(joined).toMatchObject({ email: person.email, is_self: false, sessions: 0 });
    expect(joined?.events).toMatchObject([
      { action: "admin-joined", person: person.email, by: person.email },
      { action: "admin-invited", person: person.email, by: admin.email },
    ]);
  });

  it("accepts one of several concurrent claims, and only for the invited person", async () => {
    const [admin, person, other] = [await signInAdmin(backend), await backend.signIn(), await backend.signIn()];
    const { token_hash } = await invite(admin, person.email);
    const claims = await Promise.all(
      [1, 2, 3].map(() => backend.service.rpc("claim_account_link", { token_hash }).throwOnError()),
    );
    expect(claims.map(({ data }) => data.length).toSorted()).toEqual([0, 0, 1]);
    const wrong = await backend.service.rpc("finish_account_link", { token_hash, user_id: other.id });
    expect(wrong.error?.code).toBe("P0002");
    await backend.service.rpc("release_account_link", { token_hash }).throwOnError();
    expect((await accept(token_hash, person)).error).toBeNull();
    expect(await isAdmin(other)).toBe(false);
  });

  it("ends an invitation after 72 hours, on a newer one, or on withdrawal with its mail", async () => {
    const admin = await signInAdmin(backend);
    const email = newAddress();
    const first = await invite(admin, email);
    const second = await invite(admin, email);
    expect([await opens(first), await opens(second)]).toEqual([false, true]);
    const mails = () => backend.sql("select kind from private.email_outbox where recipient = $1", [email]);
    expect(await mails()).toEqual([{ kind: "account-link" }]);
    const lasts = "select (expires_at - made_at)::text as time from private.account_links where email = $1";
    expect(await backend.sql(lasts, [email])).toEqual([{ time: "3 days" }]);

    const { id } = (await readPeople(admin)).invitations.find((open) => open.email === email)!;
    await call(admin, "withdraw_invitation", { invitation_id: id }).throwOnError();
    expect(await opens(second)).toBe(false);
    expect(await mails()).toEqual([]);
    expect((await call(admin, "withdraw_invitation", { invitation_id: id })).error?.code).toBe("P0002");
    const former = (await readPeople(admin)).others.find((other) => other.email === email);
    expect(former?.events.map(({ action }) => action)).toEqual([
      "invitation-withdrawn",
      "admin-invited",
      "admin-invited",
    ]);

    const third = await invite(admin, email);
    await expire(email, "now()");
    expect(await opens(third)).toBe(false);
    expect((await backend.service.rpc("claim_account_link", { token_hash: third.token_hash })).data).toEqual([]);
    await expire(email, "now() - interval '25 hours'");
    await keepRetention(backend);
    expect(await countRows(backend, "private.account_links", email, "email")).toBe(0);
  });

  it("ends role and sessions on removal; an invitation restores the role, a setting does not", async () => {
    const [admin, person] = [await signInAdmin(backend), await signInAdmin(backend)];
    expect(await isAdmin(person)).toBe(true);
    await call(admin, "remove_admin", { user_id: person.id }).throwOnError();
    expect(await isAdmin(person)).toBe(false);
    expect(await countRows(backend, "auth.sessions", person.id, "user_id")).toBe(0);
    const named = { user_id: person.id };
    expect((await backend.service.rpc("grant_named_admin", named).throwOnError()).data).toBe(false);
    const former = (await readPeople(admin)).others.find(({ email }) => email === person.email);
    expect(former?.events).toMatchObject([{ action: "admin-removed", by: admin.email }]);
    expect((await call(admin, "remove_admin", named)).error?.code).toBe("P0002");

    const { token_hash } = await invite(admin, person.email);
    expect((await accept(token_hash, person)).error).toBeNull();
    expect((await backend.service.rpc("grant_named_admin", named).throwOnError()).data).toBe(true);
    const again = await call(admin, "invite_admin", { email: person.email, token_hash, mail });
    expect(again.error?.code).toBe("42710");
  });

  it.each([
    ["removal by another admin", (admin: Person, id: string) => call(admin, "remove_admin", { user_id: id })],
    ["deletion of the role row", (_: Person, id: string) => remove("public.user_roles where user_id", id)],
    ["deletion of the account", (_: Person, id: string) => remove("auth.users where id", id)],
  ])("ends a removed admin's invitations, and no others, after %s", async (_by, removeAdmin) => {
    const [admin, insider] = [await signInAdmin(backend), await signInAdmin(backend)];
    const [late, open] = [newAddress(), newAddress()];
    const [backdoor, other] = [await invite(insider, open), await invite(admin, newAddress())];
    await invite(insider, late);
    await expire(late, "now()");
    const sent = (await readPeople(admin)).admins.map(({ id, invitations }) => [id, invitations]);
    expect(sent).toContainEqual([insider.id, 1]);

    await removeAdmin(admin, insider.id);
    expect([await opens(backdoor), await opens(other)]).toEqual([false, true]);
    const claim = await backend.service.rpc("claim_account_link", { token_hash: backdoor.token_hash });
    expect(claim.data).toEqual([]);
    expect(await countRows(backend, "private.email_outbox", open, "recipient")).toBe(0);
    const { others } = await readPeople(admin);
    const actions = (email: string) => others.find((gone) => gone.email === email)?.events.map(({ action }) => action);
    expect(actions(open)).toEqual(["invitation-withdrawn", "admin-invited"]);
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

  it("rejects self-removal", async () => {
    const admin = await signInAdmin(backend);
    expect((await call(admin, "remove_admin", { user_id: admin.id })).error?.code).toBe("55000");
  });

  it("accepts twenty invitations a day, and rejects malformed mails and addresses", async () => {
    const admin = await signInAdmin(backend);
    const token_hash = await digestOfToken(newSecretToken());
    const bad = { email: newAddress(), token_hash, mail: { subject: "Two\nlines", body: "x" } };
    expect((await call(admin, "invite_admin", bad)).error?.code).toBe("22023");
    const noAddress = { email: "nobody", token_hash, mail };
    expect((await call(admin, "invite_admin", noAddress)).error?.code).toBe("23514");
    await backend.sql(
      "insert into public.admin_events (actor, action, person) select $1, 'admin-invited', 'x@example.com' from generate_series(1, 20) returning id",
      [admin.id],
    );
    expect((await call(admin, "invite_admin", { email: newAddress(), token_hash, mail })).error?.code).toBe("54000");
  });
});
