import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { useAdmin } from "../support/admin.ts";
import { eachBackend } from "../support/backends.ts";
import { newAddress, receiveConfirmed } from "../support/data-rights.ts";
import { receive } from "../support/examples.ts";
import { list } from "../support/inbox.ts";
import { clearNetwork } from "../support/letters.ts";
import { settleMail } from "../support/mail.ts";
import { exampleDetails, linkMail, useNetwork } from "../support/network.ts";

eachBackend("admins' work on the network", (backend) => {
  const admin = useAdmin(backend);
  const network = useNetwork(backend);

  const review = (member_id: string, action: string | null, note: string | null, seen_version: number) =>
    admin.call("review_network_member", { member_id, action, note, seen_version });
  const read = (member_id: string) => admin.call("find_network_member", { member_id });
  const remove = (member_id: string) => admin.call("remove_network_member", { member_id });
  const sendLink = (member_id: string) => admin.call("send_network_link", { member_id, mail: linkMail });

  it("shows a member with log, mails and messages, and links the message to the member", async () => {
    const { email, id, submissionId } = await network.join({ submission: { name: "=1+1" } });
    const { data: later } = await receive(backend.service, { submission: { email: email.toUpperCase() } });
    await review(id, "noted", "  Met in June\n", 1);
    await review(id, "admitted", null, 1);
    const { events, messages, ...member } = await read(id);
    expect(member).toMatchObject({
      ...exampleDetails,
      id,
      email,
      name: "=1+1",
      state: "admitted",
      decided_at: expect.any(String),
      pending: null,
      version: 2,
      mails: [{ kind: "network", subject: linkMail.subject, delivered_at: null, gave_up_at: null, code: null }],
    });
    expect(member).not.toHaveProperty("frozen_at");
    expect(messages).toMatchObject([{ id: later!.submission_id }, { id: submissionId }]);
    expect(events).toMatchObject([
      { actor_kind: "member", actor: null, action: "asked", note: null },
      { actor_kind: "member", actor: null, action: "confirmed", note: null },
      { actor_kind: "admin", actor: admin.email, action: "noted", note: "Met in June" },
      { actor_kind: "admin", actor: admin.email, action: "admitted", note: null },
    ]);
    expect((await admin.call("find_submission", { submission_id: submissionId })).member_id).toBe(id);
    const { rows } = await list(admin.client, { folder: "all", search: email });
    expect(rows.map(({ member_id }) => member_id)).toEqual([id, id]);
    expect(await read(randomUUID())).toBeNull();
  });

  it("refuses reviews of unconfirmed and unknown members, and without a valid action or note", async () => {
    const asked = (await network.find((await network.ask()).email))!.id as string;
    for (const action of ["noted", "admitted", "declined"])
      expect(await review(asked, action, "Known", 0)).toBe("55000");
    expect(await review(randomUUID(), "admitted", null, 1)).toBe("P0002");
    const { id } = await network.join();
    for (const action of ["confirmed", "asked", "left", null]) expect(await review(id, action, null, 1)).toBe("22023");
    for (const note of [null, " \n"]) expect(await review(id, "noted", note, 1)).toBe("22023");
    expect(await review(id, "admitted", "x".repeat(2001), 1)).toBe("22023");
  });

  it("reviews only the version that the admin saw, and logs a note posted twice once", async () => {
    const { id, email } = await network.join();
    expect(await review(id, "admitted", null, 0)).toBe("PT409");
    expect(await review(id, "admitted", null, 1)).toBeNull();
    expect(await review(id, "declined", "Too far", 1)).toBe("PT409");
    expect(await review(id, "declined", "Later", 2)).toBeNull();
    expect(await review(id, "admitted", "After all", 3)).toBeNull();
    for (let post = 0; post < 2; post += 1) expect(await review(id, "noted", "Called", 4)).toBeNull();
    expect((await network.readActions(email)).slice(2)).toEqual([
      "admin admitted",
      "admin declined",
      "admin admitted",
      "admin noted",
    ]);
  });

  it("lists members by state, kind and field, with counts, the newest first, and logs their export", async () => {
    await clearNetwork(backend);
    await backend.exec("delete from private.network_departures");
    const old = await network.join({ membership: { kind: "fund", fields: ["ai"] } });
    await network.age(old.email, "asked_at, confirmed_at", "2 days");
    const fresh = await network.join({ membership: { kind: "angel", fields: ["ai", "devices"] } });
    const asked = await network.ask({ membership: { kind: null, fields: [] } });
    await network.age(asked.email, "asked_at", "1 day");
    await network.leave((await network.join()).token);
    const all = { asked: 1, confirmed: 2, admitted: 0, declined: 0, left: 1 };
    const none = { ...all, asked: 0, confirmed: 0 };
    const cases: [filters: Record<string, unknown>, members: { email: string }[], total: number, counts: typeof all][] =
      [
        [{}, [fresh, asked, old], 3, all],
        [{ state: "confirmed" }, [fresh, old], 2, all],
        [{ kind: "fund" }, [old], 1, { ...none, confirmed: 1 }],
        [{ field: "ai" }, [fresh, old], 2, { ...none, confirmed: 2 }],
        [{ field: "devices", kind: "fund" }, [], 0, none],
        [{ kind: "' or true --" }, [], 0, none],
        [{ page: 2, page_size: 2 }, [old], 3, all],
        [{ page: 0, page_size: 0 }, [fresh], 3, all],
        [{ page: 2_147_483_647, page_size: 100 }, [], 3, all],
      ];
    for (const [filters, expected, total, counts] of cases) {
      const found = await admin.call("list_network_members", filters);
      const emails = found.members.map(({ email }: { email: string }) => email);
      expect([filters, { ...found, members: emails }]).toEqual([
        filters,
        { members: expected.map(({ email }) => email), total, counts },
      ]);
    }
    const { members } = await admin.call("list_network_members");
    expect(Object.keys(members[0]).toSorted()).toEqual(
      // prettier-ignore
      ["asked_at", "check_size", "company", "confirmed_at", "decided_at", "email", "fields", "id", "kind", "link_waits", "name", "place",
        "refusal", "state", "undelivered_at", "unsubscribed_at"],
    );

    const exported = await admin.call("export_network_members", { kind: "fund" });
    expect(exported).toMatchObject([{ email: old.email, place: "Vermont", consent_text_hash: "c".repeat(64) }]);
    const log = await backend.sql("select actor from public.admin_events where action = 'members-exported'");
    expect(log).toEqual([{ actor: admin.id }]);
  });

  it("sends a link at most every ten minutes, also to a person whose message was held back", async () => {
    const { email } = await network.ask({ quarantineReason: "honeypot" });
    expect(await network.readMails(email)).toEqual([]);
    const id = (await network.find(email))!.id as string;
    await network.age(email, "asked_at", "6 days 23 hours");
    expect(await sendLink(id)).toBeNull();
    const token = await network.tokenOf(email);
    expect(await network.readMails(email)).toHaveLength(1);
    expect(await sendLink(id)).toBe("55000");
    // Seven days from the mail.
    await network.age(email, "asked_at", "6 days");
    expect(await network.confirm(token)).toMatchObject({ state: "confirmed" });
    expect(await network.readActions(email)).toEqual(["member asked", "admin link-sent", "member confirmed"]);
    await network.ageLinks(email);
    expect(await sendLink(id)).toBeNull();
  });

  it("removes a member like leaving, unless they have asked for their data", async () => {
    const { id, email } = await network.join();
    await receiveConfirmed(backend, { email, type: "access" });
    expect(await remove(id)).toBe("55006");
    const other = await network.join();
    expect(await remove(other.id)).toBeNull();
    expect(await network.find(other.email)).toBeUndefined();
    expect(await network.countDepartures(other.email)).toBe(1);
    expect(await remove(other.id)).toBe("P0002");
    const logged = await backend.sql("select * from public.admin_events where action = 'member-removed'");
    expect(logged).toMatchObject([{ actor: admin.id, person: null, submission_id: null, replaced: null }]);
  });

  it("shows that a mailbox refused mail, on the member's page and in the list of members only", async () => {
    const { email, id } = await network.join();
    const [mail] = await network.readMails(email);
    await settleMail(backend, mail!, "rejected", "smtp-550").throwOnError();
    expect(await read(id)).toMatchObject({ paused_at: expect.any(String), mails: [{ code: "smtp-550" }] });
    const { members } = await admin.call("list_network_members", { page_size: 100 });
    expect(members.find((member: { id: string }) => member.id === id)).toMatchObject({
      refusal: "smtp-550",
      undelivered_at: expect.any(String),
    });
    expect((await admin.call("list_undelivered")).undelivered).toEqual([]);
    expect(await admin.call("find_mail", { mail_id: mail!.id })).toMatchObject({
      member: { id, name: "Ada Lovelace" },
      is_resendable: false,
      recipient: email,
    });
  });

  it("counts asks, confirmations and departures by day", async () => {
    await backend.exec("delete from private.day_counts");
    const { token } = await network.join({ email: newAddress() });
    await network.ask({ quarantineReason: "honeypot" });
    await network.leave(token);
    await network.leave((await network.ask()).token);
    const days = { first_day: "2000-01-01", last_day: "2100-01-01", by_month: true };
    const time = expect.stringMatching(/^\d{4}-\d\d$/);
    expect(await admin.call("read_day_counts", days)).toEqual({
      times: [],
      names: [],
      network: [
        { time, name: "asked", number: 2 },
        { time, name: "confirmed", number: 1 },
        { time, name: "left", number: 1 },
      ],
    });
  });
});
