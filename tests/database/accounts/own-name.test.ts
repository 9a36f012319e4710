import { randomUUID } from "node:crypto";
import { beforeEach, expect, it } from "vitest";
import { type Admin, newAdmin } from "../support/admin.ts";
import { eachBackend } from "../support/backends.ts";
import { receiveMessage } from "../support/examples.ts";
import { sendReply } from "../support/inbox.ts";
import { countRows, readRow } from "../support/retention.ts";

eachBackend("an admin's own name", (backend) => {
  let admin: Admin;
  let other: Admin;

  beforeEach(async () => {
    [admin, other] = [await newAdmin(backend), await newAdmin(backend)];
  });

  const save = (name: string | null, signature: string | null, { call } = admin) =>
    call("save_own_name", { name, signature });

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

  it("is empty at first, and replies then go out in the firm's name", async () => {
    expect(await admin.call("own_account")).toMatchObject({ name: "", signature: "" });
    expect(await reply()).toMatchObject({ sender: null, found: { replies: [{ by: admin.email }] } });
  });

  it("is saved in the caller's own row, and each change is logged once", async () => {
    await save(" Ada Hale ", "Ada Hale\nHale & Co \n\n");
    await save("Ada Hale", "Ada Hale\nHale & Co");
    expect(await countRows(backend, "public.admin_events", admin.id, "actor")).toBe(1);
    expect(await admin.call("own_account")).toMatchObject({ name: "Ada Hale", signature: "Ada Hale\nHale & Co" });
    expect(await other.call("own_account")).toMatchObject({ name: "", signature: "" });
    await save("", "", other);
    expect(await countNames()).toEqual([1, 1]);
  });

  it("is the sender of a reply, and stands beside the address in the logs of messages and people", async () => {
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

  it("is deleted when the role is revoked; the logs then show the address, and sent replies stay", async () => {
    await save("Ada Hale", "");
    await save("Grace Lee", "", other);
    const { found } = await reply();
    expect(found.replies).toMatchObject([{ by: `Ada Hale (${admin.email})` }]);
    await other.call("remove_admin", { user_id: admin.id });
    expect(await countNames()).toEqual([0, 1]);
    const { others } = await other.call("read_people");
    const { events } = others.find(({ email }: { email: string }) => email === admin.email);
    expect(events).toContainEqual(expect.objectContaining({ action: "submission-replied", by: admin.email }));
  });
});
