import { expect, it } from "vitest";
import { eachBackend } from "../support/backends.ts";
import { ago, countRows, keepRetention, nothingDeleted, setRows } from "../support/retention.ts";
import { type Person, signInAdmin } from "../support/test-backend.ts";

const events = "private.account_events";

eachBackend("account events", (backend) => {
  let person: Person;

  const setPassword = (hash: string | null, { id } = person) =>
    backend.sql("update auth.users set encrypted_password = $2 where id = $1 returning id", [id, hash]);

  const listDue = async () =>
    (await backend.service.rpc("list_due_account_mails").throwOnError()).data as {
      event_id: number;
      recipient: string;
    }[];

  const mail = { subject: "Your password was changed", body: "It was changed." };
  const queue = async (event_id: number) =>
    (await backend.service.rpc("queue_account_mail", { event_id, mail }).throwOnError()).data as boolean;

  it("mails the owner once for each password change", async () => {
    person = await backend.signIn();
    await setPassword("first");
    for (const { event_id } of await listDue()) await queue(event_id);
    await setPassword("second");
    const [due, ...others] = await listDue();
    expect(others).toEqual([]);
    expect(due).toMatchObject({ kind: "password-changed", recipient: person.email });
    expect([await queue(due!.event_id), await queue(due!.event_id)]).toEqual([true, false]);
    expect(await listDue()).toEqual([]);
    const queued = await backend.sql(
      "select kind, subject, body, forget_when_delivered from private.email_outbox where recipient = $1 and subject = $2",
      [person.email, mail.subject],
    );
    expect(queued.at(-1)).toEqual({ kind: "account", ...mail, forget_when_delivered: true });
  });

  it("mails nothing for a first or an unchanged password", async () => {
    person = await backend.signIn();
    await setPassword(null);
    for (const { event_id } of await listDue()) await queue(event_id);
    await setPassword("first");
    await setPassword("first");
    await backend.sql("update auth.users set email_confirmed_at = now() where id = $1 returning id", [person.id]);
    expect((await listDue()).filter(({ recipient }) => recipient === person.email)).toEqual([]);
  });

  it("keeps events for 30 days, and no longer than the account", async () => {
    const [old, young, gone] = [await backend.signIn(), await backend.signIn(), await backend.signIn()];
    for (const one of [old, young, gone]) {
      await setPassword("first", one);
      await setPassword("second", one);
    }
    await setRows(backend, events, old.id, `at = ${ago("30 days 1 second")}`, "user_id");
    await setRows(backend, events, young.id, `at = ${ago("29 days 23 hours")}`, "user_id");
    await backend.sql("delete from auth.users where id = $1 returning id", [gone.id]);
    const deleted = await keepRetention(backend);
    expect(deleted).toMatchObject({ ...nothingDeleted, account_events: expect.any(Number) });
    expect(deleted.account_events).toBeGreaterThan(0);
    const left = [old, young, gone].map(({ id }) => countRows(backend, events, id, "user_id"));
    expect(await Promise.all(left)).toEqual([0, expect.any(Number), 0]);
    expect(await left[1]).toBeGreaterThan(0);
  });

  it("shows events to their owner only", async () => {
    const [admin, other] = [await signInAdmin(backend), await signInAdmin(backend)];
    const own = async ({ token }: Person) =>
      (await backend.client(token).rpc("own_account").throwOnError()).data as object;
    expect(await own(admin)).toMatchObject({ email: admin.email });
    expect(await own(other)).toMatchObject({ email: other.email });
    const nobody = await backend.signIn();
    for (const client of [backend.client(), backend.client(nobody.token)])
      expect((await client.rpc("own_account")).error?.code).toBe("42501");
    for (const call of ["list_due_account_mails", "queue_account_mail"])
      expect(
        (await backend.client(admin.token).rpc(call, call.startsWith("q") ? { event_id: 1, mail } : {})).error?.code,
      ).toBe("42501");
  });
});
