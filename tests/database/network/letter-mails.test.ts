import { beforeEach, expect, it } from "vitest";
import { useAdmin } from "../support/admin.ts";
import { eachBackend } from "../support/backends.ts";
import { receiveConfirmed } from "../support/data-rights.ts";
import {
  addMembers,
  claimLetters,
  clearNetwork,
  exampleLetter,
  findLetter,
  queueLetters,
  sendLetter,
} from "../support/letters.ts";
import { claimMails, listMails, settleMail } from "../support/mail.ts";
import { useNetwork } from "../support/network.ts";

eachBackend("mails of letters", (backend) => {
  const admin = useAdmin(backend);
  const network = useNetwork(backend);

  beforeEach(() => clearNetwork(backend));

  /** Sends a letter to new members without the admin's own copy, and returns its id and the members' turns. */
  async function startLetter(members: number, prefix = "member") {
    await addMembers(backend, prefix, members);
    const { id } = await sendLetter(admin.client);
    await backend.exec("delete from private.email_outbox where kind = 'letter-trial'");
    return { id, due: await claimLetters(backend) };
  }
  const listLetters = () => listMails(backend, "kind = 'letter'");
  const stop = (letter_id: string) => admin.call("stop_letter", { letter_id });

  it("go out as many as the hour still allows, counting those that wait", async () => {
    const { due } = await startLetter(8);
    const recipients = (turns: typeof due) => turns.map(({ recipient }) => recipient);
    expect(recipients(await claimLetters(backend, 5))).toEqual(recipients(due.slice(0, 5)));
    await queueLetters(backend, due.slice(0, 3));
    expect(recipients(await claimLetters(backend, 5))).toEqual(recipients(due.slice(3, 5)));
    await queueLetters(backend, due.slice(3, 5));
    expect(await claimLetters(backend, 5)).toEqual([]);
    for (const mail of await listLetters()) await settleMail(backend, mail, "delivered").throwOnError();
    expect(await claimLetters(backend, 5)).toEqual([]);
    await backend.exec("update private.email_outbox set delivered_at = delivered_at - interval '61 minutes'");
    expect(await claimLetters(backend, 5)).toHaveLength(3);
  });

  it("go out twenty a minute to one domain, also after one was tried while the clock was ahead", async () => {
    const { due } = await startLetter(41);
    await queueLetters(backend, due);
    expect(await claimMails(backend, { letters: true })).toHaveLength(20);
    expect(await claimMails(backend, { letters: true })).toEqual([]);
    await backend.exec(
      "update private.email_outbox set attempted_at = now() + interval '400 days' where attempted_at is not null",
    );
    expect(await claimMails(backend, { letters: true })).toHaveLength(20);
  });

  it("are leased only while no other mail is due", async () => {
    await addMembers(backend, "lane", 2);
    await sendLetter(admin.client);
    await queueLetters(backend, await claimLetters(backend));
    const lease = async (letters?: boolean) => (await claimMails(backend, { letters })).map(({ kind }) => kind);
    // The admin's own copy is due.
    expect(await lease(true)).toEqual([]);
    expect(await lease()).toEqual(["letter-trial"]);
    expect(await lease(true)).toEqual(["letter", "letter"]);
    expect(await lease()).toEqual([]);
  });

  const set = (assignments: string) => (id: string) =>
    backend.sql(`update public.network_members set ${assignments} where id = $1 returning 1 as ok`, [id]);
  it.each<[string, (id: string) => PromiseLike<unknown>]>([
    ["is removed", (member_id) => admin.call("remove_network_member", { member_id })],
    ["stops all mail", set("unsubscribed_at = now()")],
    ["is declined", set("state = 'declined', decided_at = now()")],
    ["is restricted", set("frozen_at = now()")],
    ["has a mailbox that refuses mail", set("paused_at = now()")],
  ])("reach no member who %s between Send and their turn", async (_, happensTo) => {
    const { id, due } = await startLetter(4);
    const [waiting, late, queued, other] = due;
    await queueLetters(backend, [queued!]);
    for (const { member_id } of [waiting!, late!, queued!]) await happensTo(member_id);
    // A worker that had claimed the member before.
    await queueLetters(backend, [late!]);
    expect(await listLetters()).toEqual([]);
    expect(await claimLetters(backend)).toMatchObject([{ member_id: other!.member_id }]);
    await queueLetters(backend, [other!]);
    const mails = await listLetters();
    expect(mails).toMatchObject([{ recipient: other!.recipient }]);
    await settleMail(backend, mails[0]!, "delivered").throwOnError();
    expect(await findLetter(admin.client, id)).toMatchObject({ state: "sent", to_count: 4, delivered: 1, waiting: 0 });
  });

  it("reach no member who stopped all mail at the very moment of Send", async () => {
    const { id, due } = await startLetter(2);
    const [stopped, other] = due;
    await set("unsubscribed_at = now()")(stopped!.member_id);
    // As if send_letter had read the member before.
    await backend.sql(
      "insert into private.letter_recipients (letter_id, member_id) values ($1, $2) returning 1 as ok",
      [id, stopped!.member_id],
    );
    await queueLetters(backend, [stopped!]);
    expect(await listLetters()).toEqual([]);
    expect(await claimLetters(backend)).toMatchObject([{ member_id: other!.member_id }]);
    expect(await findLetter(admin.client, id)).toMatchObject({ waiting: 1 });
  });

  it("end when the letter is stopped: those under way still count, and are not tried again", async () => {
    const { id, due } = await startLetter(5);
    await queueLetters(backend, due.slice(0, 4));
    const [first, second, third] = await claimMails(backend, { batch_size: 3, letters: true });
    await settleMail(backend, first!, "delivered").throwOnError();
    expect(await stop(id)).toBe(3);
    expect(await findLetter(admin.client, id)).toMatchObject({
      state: "stopped",
      waiting: 2,
      delivered: 1,
      to_count: 5,
    });
    expect(await claimLetters(backend)).toEqual([]);
    await queueLetters(backend, [due[4]!]);
    await settleMail(backend, second!, "retry", "smtp-421").throwOnError();
    await settleMail(backend, third!, "delivered").throwOnError();
    expect(await findLetter(admin.client, id)).toMatchObject({ state: "stopped", waiting: 0, delivered: 2 });
    expect(await stop(id)).toBe(2);
    const log = await backend.sql("select people_count from public.admin_events where action = 'letter-stopped'");
    expect(log).toEqual([{ people_count: 3 }]);
  });

  it("pause a member whose mailbox alone refuses one, and are in the export of a member who got one", async () => {
    const [refusing, taking] = [await network.join(), await network.join()];
    for (const { email } of [refusing, taking]) await network.settle(email);
    const { id, due } = await startLetter(1);
    await queueLetters(backend, due);
    const exportLetters = async () => {
      const request = await receiveConfirmed(backend, { email: taking.email, type: "access" });
      return (await admin.call("export_subject_data", { request_id: request.id })).membership.letters;
    };
    expect(await exportLetters()).toEqual([]);
    await network.settle(taking.email);
    await network.settle(refusing.email, "rejected", "smtp-550");
    expect(await findLetter(admin.client, id)).toMatchObject({ state: "sending", refused: 1, delivered: 1 });
    expect(await network.find(refusing.email)).toMatchObject({
      paused_at: expect.any(String),
      pause_reason: "smtp-550",
    });
    const { subject, body } = exampleLetter;
    expect(await exportLetters()).toEqual([{ subject, body, sent_at: expect.any(String) }]);
  });
});
