import { randomUUID } from "node:crypto";
import { beforeEach, expect, it } from "vitest";
import { digestOfToken } from "#supabase/functions/_shared/secret-token.ts";
import { enterCode, sessionOf, verifyFactor } from "../support/accounts.ts";
import { type Admin, call, newAdmin } from "../support/admin.ts";
import { eachBackend } from "../support/backends.ts";
import { receiveMessage } from "../support/examples.ts";
import { sendReply } from "../support/inbox.ts";
import { ago, countRows, keepRetention, nothingDeleted, readRow, setRows } from "../support/retention.ts";
import { type Person, signInAdmin } from "../support/test-backend.ts";

const stored = "private.account_events";

eachBackend("account events", (backend) => {
  const listDue = async ({ email }: Person) => {
    const due: { event_id: number; recipient: string }[] = await call(backend.service, "list_due_account_mails");
    return due.filter(({ recipient }) => recipient === email);
  };

  const mail = { subject: "Your password was changed", body: "It was changed." };
  const queue = ({ event_id }: { event_id: number }) => call(backend.service, "queue_account_mail", { event_id, mail });

  const setPassword = (hash: string | null, { id }: Person) =>
    backend.sql("update auth.users set encrypted_password = $2 where id = $1 returning id", [id, hash]);

  /** Returns the events that the owner is mailed about, and expects the same events in the admin log. */
  async function readNotifiedEvents({ id, email }: Person): Promise<string[]> {
    const mailed = "select kind from private.account_events where user_id = $1 and is_mail_due order by id";
    const kinds = (await backend.sql<{ kind: string }>(mailed, [id])).map(({ kind }) => kind);
    const logged = "select action as kind from public.admin_events where person = $1 order by id";
    expect((await backend.sql<{ kind: string }>(logged, [email])).map(({ kind }) => kind)).toEqual(kinds);
    return kinds;
  }

  const recordSignIn = ({ token }: Person, device: string | null, is_new_device = false) =>
    call(backend.client(token), "record_sign_in", { device, is_new_device });

  const listEvents = async ({ token }: Person) => (await call(backend.client(token), "own_account")).events;

  it("mails the owner once for each password change, and not for a first or an unchanged password", async () => {
    const person = await backend.signIn();
    await setPassword(null, person);
    for (const due of await listDue(person)) await queue(due);
    for (const hash of ["first", "first"]) await setPassword(hash, person);
    await backend.sql("update auth.users set email_confirmed_at = now() where id = $1 returning id", [person.id]);
    expect(await listDue(person)).toEqual([]);
    await setPassword("second", person);
    const [due, ...others] = await listDue(person);
    expect(others).toEqual([]);
    expect(due).toMatchObject({ kind: "password-changed", recipient: person.email });
    expect([await queue(due!), await queue(due!)]).toEqual([true, false]);
    expect(await listDue(person)).toEqual([]);
    const queued = await backend.sql(
      "select kind, subject, body, forget_when_delivered from private.email_outbox where recipient = $1 and subject = $2",
      [person.email, mail.subject],
    );
    expect(queued.at(-1)).toEqual({ kind: "account", ...mail, forget_when_delivered: true });
  });

  it("keeps events for 30 days, and no longer than the account, which may have a factor", async () => {
    const [old, young, gone] = [await backend.signIn(), await backend.signIn(), await backend.signIn()];
    await verifyFactor(backend, gone);
    for (const one of [old, young, gone]) for (const hash of ["first", "second"]) await setPassword(hash, one);
    await setRows(backend, stored, old.id, `at = ${ago("30 days 1 second")}`, "user_id");
    await setRows(backend, stored, young.id, `at = ${ago("29 days 23 hours")}`, "user_id");
    await backend.sql("delete from auth.users where id = $1 returning id", [gone.id]);
    const deleted = await keepRetention(backend);
    expect(deleted).toMatchObject({ ...nothingDeleted, account_events: expect.any(Number) });
    expect(deleted.account_events).toBeGreaterThan(0);
    const left = await Promise.all([old, young, gone].map(({ id }) => countRows(backend, stored, id, "user_id")));
    expect(left.map((count) => count > 0)).toEqual([false, true, false]);
  });

  it("mails and logs a change of a factor even if the sign-in service made it", async () => {
    const admin = await signInAdmin(backend);
    const factor = await verifyFactor(backend, admin);
    await setRows(backend, "auth.mfa_factors", factor, "status = 'verified'");
    expect(await readNotifiedEvents(admin)).toEqual(["factor-on"]);
    await backend.sql("delete from auth.mfa_factors where id = $1 returning id", [factor]);
    expect(await readNotifiedEvents(admin)).toEqual(["factor-on", "factor-off"]);
  });

  it("reports a used recovery code, and not also a removed factor", async () => {
    const admin = await signInAdmin(backend);
    await verifyFactor(backend, admin);
    const insert = "insert into private.recovery_codes (user_id, digest) values ($1, $2) returning 1";
    await backend.sql(insert, [admin.id, await digestOfToken("a code")]);
    expect(await enterCode(backend, "use_recovery_code", admin, "a code")).toBe("right");
    expect(await readNotifiedEvents(admin)).toEqual(["factor-on", "recovery-code"]);
  });

  it("reports five wrong codes of any kind and session once an hour", async () => {
    const admin = await signInAdmin(backend);
    const client = backend.client(admin.token);
    for (let count = 0; count < 3; count++) await client.rpc("record_wrong_code").throwOnError();
    expect(await enterCode(backend, "use_setup_code", admin, "not made")).toBe("wrong");
    expect(await readNotifiedEvents(admin)).toEqual([]);
    expect(await enterCode(backend, "use_recovery_code", admin, "none of theirs")).toBe("wrong");
    expect(await readNotifiedEvents(admin)).toEqual(["wrong-codes"]);
    for (let count = 0; count < 6; count++) await client.rpc("record_wrong_code").throwOnError();
    expect(await readNotifiedEvents(admin)).toEqual(["wrong-codes"]);
    await backend.sql("delete from auth.sessions where user_id = $1 returning id", [admin.id]);
    expect(await call(client, "record_wrong_code")).toBe("42501");
  });

  it("records one sign-in per session, for its owner only, and shows it for 30 days", async () => {
    const admin = await signInAdmin(backend);
    await recordSignIn(admin, "Firefox on Windows");
    await recordSignIn(admin, "Chrome on Linux", true);
    const id = expect.any(Number);
    const at = expect.any(String);
    const signIn = { id, at, kind: "sign-in", device: "Firefox on Windows", is_new_device: false };
    expect(await listEvents(admin)).toEqual([signIn]);
    expect(await listDue(admin)).toEqual([]);
    expect(await listEvents(await signInAdmin(backend))).toEqual([]);
    await setRows(backend, stored, admin.id, `at = ${ago("31 days")}`, "user_id");
    expect(await listEvents(admin)).toEqual([]);
  });

  it("mails a person about a new device, admin or not, and records no sign-in without a live session", async () => {
    const person = await backend.signIn();
    await recordSignIn(person, "Safari on iPhone", true);
    expect(await listDue(person)).toMatchObject([{ kind: "sign-in", device: "Safari on iPhone" }]);
    await backend.sql("delete from auth.sessions where id = $1 returning id", [sessionOf(person)]);
    expect(await recordSignIn(person, "Firefox")).toBe("42501");
  });

  it.each(["https://evil.example", "a\nb", "", "x".repeat(61), null])("rejects the device name %j", async (device) => {
    expect(await recordSignIn(await backend.signIn(), device)).toBe("23514");
  });
});

eachBackend("an admin's own name", (backend) => {
  let admin: Admin;
  let other: Admin;

  beforeEach(async () => {
    [admin, other] = [await newAdmin(backend), await newAdmin(backend)];
  });

  const save = (name: string | null, signature: string | null, by = admin) =>
    by.call("save_own_name", { name, signature });

  const countNames = () =>
    Promise.all([admin, other].map(({ id }) => countRows(backend, "private.admin_names", id, "user_id")));

  /** Replies to a new message. @returns the mail, and the message as the other admin sees it */
  async function reply() {
    const submission_id = await receiveMessage(backend);
    const reply_id = randomUUID();
    await sendReply(admin, submission_id, { reply_id });
    const mail = await readRow(backend, "private.email_outbox", reply_id);
    return { sender: mail?.sender_name, found: await other.call("find_submission", { submission_id }) };
  }

  it("is saved in the caller's own row, and each change is logged once", async () => {
    await save(" Ada Hale ", "Ada Hale\nHale & Co \n\n");
    await save("Ada Hale", "Ada Hale\nHale & Co");
    expect(await countRows(backend, "public.admin_events", admin.id, "actor")).toBe(1);
    expect(await admin.call("own_account")).toMatchObject({ name: "Ada Hale", signature: "Ada Hale\nHale & Co" });
    expect(await other.call("own_account")).toMatchObject({ name: "", signature: "" });
    await save("", "", other);
    expect(await countNames()).toEqual([1, 1]);
  });

  it("is empty at first, then the sender of replies, and beside the address in the logs of messages and people", async () => {
    expect(await admin.call("own_account")).toMatchObject({ name: "", signature: "" });
    expect(await reply()).toMatchObject({ sender: null, found: { replies: [{ by: admin.email }] } });
    await save("Ada Hale", "");
    const by = `Ada Hale (${admin.email})`;
    const { sender, found } = await reply();
    expect(sender).toBe("Ada Hale");
    expect(found).toMatchObject({ signature: "", replies: [{ by }], events: [{ action: "submission-replied", by }] });
    const { admins } = await other.call("read_people");
    const { events } = admins.find(({ id }: { id: string }) => id === admin.id);
    expect(events).toContainEqual(expect.objectContaining({ action: "name-changed", by }));
  });

  it.each([
    ["a name of two lines", "Ada\nBcc: x@y.example", "", "23514"],
    ["a long name", "x".repeat(101), "", "23514"],
    ["a long signature", "Ada", "x".repeat(501), "23514"],
    ["no name", null, "", "23502"],
  ])("rejects %s", async (_case, name, signature, code) => {
    expect(await save(name, signature)).toBe(code);
  });

  it("is deleted when the role is revoked; the logs then show the address", async () => {
    await save("Ada Hale", "");
    await save("Grace Lee", "", other);
    await reply();
    await other.call("remove_admin", { user_id: admin.id });
    expect(await countNames()).toEqual([0, 1]);
    const { others } = await other.call("read_people");
    const { events } = others.find(({ email }: { email: string }) => email === admin.email);
    expect(events).toContainEqual(expect.objectContaining({ action: "submission-replied", by: admin.email }));
  });
});
