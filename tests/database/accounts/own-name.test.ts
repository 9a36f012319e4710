import { randomUUID } from "node:crypto";
import { beforeEach, expect, it } from "vitest";
import { eachBackend } from "../support/backends.ts";
import { receive } from "../support/examples.ts";
import { countRows } from "../support/retention.ts";
import { type Person, signInAdmin } from "../support/test-backend.ts";

eachBackend("an admin's own name", (backend) => {
  let admin: Person;
  let other: Person;

  beforeEach(async () => {
    [admin, other] = [await signInAdmin(backend), await signInAdmin(backend)];
  });

  const save = (name: string | null, signature: string | null, { token } = admin) =>
    backend.client(token).rpc("save_own_name", { name, signature });

  const read = async ({ token }: Person) => (await backend.client(token).rpc("own_account").throwOnError()).data;

  const findNames = () =>
    backend.sql<{ user_id: string }>("select user_id from private.admin_names where user_id in ($1, $2)", [
      admin.id,
      other.id,
    ]);

  async function reply() {
    const id = (await receive(backend.service).throwOnError()).data.submission_id;
    const mail = { subject: "Re: x", quotation: "> x" };
    const reply_id = randomUUID();
    const { token } = admin;
    await backend.client(token).rpc("send_reply", { submission_id: id, reply_id, reply: "Yes.", mail }).throwOnError();
    const [queued] = await backend.sql("select sender_name from private.email_outbox where id = $1", [reply_id]);
    const { data } = await backend.client(other.token).rpc("find_submission", { submission_id: id }).throwOnError();
    return { queued, found: data as { replies: object[]; events: object[]; signature: string } };
  }

  it("is empty at first, and replies then go out in the firm's name", async () => {
    expect(await read(admin)).toMatchObject({ name: "", signature: "" });
    expect(await reply()).toMatchObject({ queued: { sender_name: null }, found: { replies: [{ by: admin.email }] } });
  });

  it("is saved in the caller's own row, and each change is logged once", async () => {
    await save(" Ada Hale ", "Ada Hale\nHale & Co \n\n").throwOnError();
    await save("Ada Hale", "Ada Hale\nHale & Co").throwOnError();
    expect(await countRows(backend, "public.admin_events", admin.id, "actor")).toBe(1);
    expect(await read(admin)).toMatchObject({ name: "Ada Hale", signature: "Ada Hale\nHale & Co" });
    expect(await read(other)).toMatchObject({ name: "", signature: "" });
    await save("", "", other).throwOnError();
    expect((await findNames()).map(({ user_id }) => user_id).toSorted()).toEqual([admin.id, other.id].toSorted());
  });

  it("is the sender of a reply, and stands beside the address in the logs of messages and people", async () => {
    await save("Ada Hale", "").throwOnError();
    const by = `Ada Hale (${admin.email})`;
    const { queued, found } = await reply();
    expect(queued).toEqual({ sender_name: "Ada Hale" });
    expect(found).toMatchObject({ signature: "", replies: [{ by }], events: [{ action: "submission-replied", by }] });
    const { data } = await backend.client(other.token).rpc("read_people").throwOnError();
    const people = data as { admins: { id: string; events: object[] }[] };
    expect(people.admins.find(({ id }) => id === admin.id)?.events).toContainEqual(
      expect.objectContaining({ action: "name-changed", by }),
    );
  });

  it.each([
    ["a name of two lines", "Ada\nBcc: x@y.example", "", "23514"],
    ["a long name", "x".repeat(101), "", "23514"],
    ["a long signature", "Ada", "x".repeat(501), "23514"],
    ["no name", null, "", "23502"],
  ])("rejects %s", async (_case, name, signature, code) => {
    expect((await save(name, signature)).error?.code).toBe(code);
  });

  it("is deleted when the role is revoked; the logs then show the address, and sent replies stay", async () => {
    await save("Ada Hale", "").throwOnError();
    await save("Grace Lee", "", other).throwOnError();
    const { found } = await reply();
    expect(found.replies).toMatchObject([{ by: `Ada Hale (${admin.email})` }]);
    await backend.client(other.token).rpc("remove_admin", { user_id: admin.id }).throwOnError();
    expect((await findNames()).map(({ user_id }) => user_id)).toEqual([other.id]);
    const { data } = await backend.client(other.token).rpc("read_people").throwOnError();
    const { others } = data as { others: { email: string; events: { action: string; by: string }[] }[] };
    const events = others.find(({ email }) => email === admin.email.toLowerCase())?.events ?? [];
    expect(events.find(({ action }) => action === "submission-replied")?.by).toBe(admin.email.toLowerCase());
  });
});
