import { expect, it } from "vitest";
import { networkPeriods } from "~/content/facts";
import { useAdmin } from "../support/admin.ts";
import { eachBackend } from "../support/backends.ts";
import { ago, keepRetention, nothingDeleted } from "../support/retention.ts";
import { linkMail, useNetwork } from "../support/network.ts";

const asked = (time: string) => `asked_at = ${ago(time)}`;
const declined = (time: string) => `state = 'declined', decided_at = ${ago(time)}`;
const silent = (time: string) => `renewed_at = ${ago("27 months")}, renewal_asked_at = ${ago(time)}`;
const refusing = (time: string) => `renewed_at = ${ago("27 months")}, paused_at = ${ago(time)}`;
const stopped = (time: string) => `unsubscribed_at = ${ago(time)}`;

eachBackend("reminders, renewals and retention of the network", (backend) => {
  const admin = useAdmin(backend);
  const network = useNetwork(backend);

  const renewalMonths = `${networkPeriods.renewalMonths} months`;

  /** Returns the mail due to this address, or undefined. */
  async function findDue(email: string): Promise<string | undefined> {
    // As if no mail had gone out lately: an hour has twenty.
    await backend.exec(
      "update private.email_outbox set created_at = created_at - interval '2 hours' where about is not null",
    );
    const { data } = await backend.service.rpc("list_due_network_mails").throwOnError();
    return data.find(({ recipient }: { recipient: string }) => recipient === email)?.mail;
  }

  async function queue(email: string, mail_kind: string | null) {
    const { id: member_id } = (await network.find(email))!;
    await backend.service.rpc("queue_network_mail", { member_id, mail_kind, mail: linkMail }).throwOnError();
    return network.tokenOf(email);
  }

  it("reminds a person once, three days after asking, if they did not confirm", async () => {
    const { email } = await network.ask();
    await network.settle(email);
    await network.age(email, "asked_at", "2 days 23 hours");
    expect(await findDue(email)).toBeUndefined();
    await network.age(email, "asked_at", "2 hours");
    expect(await findDue(email)).toBe("reminder");
    expect(await network.readActions(email)).toEqual(["member asked"]);
    // Two workers at once, and another kind.
    await queue(email, "renewal");
    await queue(email, null);
    const [token] = await Promise.all([queue(email, "reminder"), queue(email, "reminder")]);
    expect(await network.readMails(email)).toHaveLength(2);
    expect(await network.readActions(email)).toEqual(["member asked"]);
    await network.settle(email);
    expect(await network.readActions(email)).toEqual(["member asked", "system reminded"]);
    expect(await findDue(email)).toBeUndefined();
    expect(await network.open(token)).not.toBeNull();
    // The reminder does not begin the seven days anew.
    await network.age(email, "asked_at", "4 days");
    expect(await network.open(token)).toBeNull();
  });

  it("reminds nobody who confirmed, was held back, or whose time is over", async () => {
    const confirmed = await network.join();
    const held = await network.ask({ quarantineReason: "honeypot" });
    const late = await network.ask();
    for (const { email } of [confirmed, late]) await network.settle(email);
    await network.age(late.email, "asked_at", "7 days 1 minute");
    for (const { email } of [confirmed, held]) await network.age(email, "asked_at", "4 days");
    for (const { email } of [confirmed, held, late]) expect(await findDue(email)).toBeUndefined();
  });

  it("asks a member to stay 24 months after the last yes, and again 24 months later", async () => {
    const { email, id } = await network.join();
    await network.settle(email);
    await admin.call("review_network_member", { member_id: id, action: "admitted", note: null, seen_version: 1 });
    await network.age(email, "asked_at, confirmed_at, renewed_at, decided_at", renewalMonths);
    expect(await findDue(email)).toBe("renewal");
    const renewal = await queue(email, "renewal");
    await network.settle(email);
    expect(await findDue(email)).toBeUndefined();
    const { version, ...shown } = await network.open(renewal);
    expect(shown).toMatchObject({ state: "admitted", renewal_asked_at: expect.any(String) });
    expect(await network.confirm(renewal)).toMatchObject({ state: "admitted", renewal_asked_at: null, version });
    expect((await network.readActions(email)).slice(3)).toEqual(["system renewal-asked", "member renewed"]);
    await network.age(email, "renewed_at", renewalMonths);
    await network.ageLinks(email, renewalMonths);
    expect(await findDue(email)).toBe("renewal");
  });

  it("counts a change of details as the renewal", async () => {
    const { email } = await network.join();
    await network.settle(email);
    await network.age(email, "asked_at, confirmed_at, renewed_at", renewalMonths);
    const change = { token: await queue(email, "renewal"), details: { place: "Maine" }, seen_version: 1 };
    await network.settle(email);
    await backend.client().rpc("change_membership", change).throwOnError();
    expect(await network.find(email)).toMatchObject({ place: "Maine", renewal_asked_at: null });
    expect((await network.readActions(email)).at(-1)).toBe("member renewed");
    expect(await findDue(email)).toBeUndefined();
  });

  it("asks no one while the clock is in doubt", async () => {
    const { email } = await network.join();
    await network.settle(email);
    await network.age(email, "renewed_at", renewalMonths);
    await keepRetention(backend);
    await backend.exec("update private.retention_clock set seen_at = now() - interval '3 years'");
    expect(await findDue(email)).toBeUndefined();
    await backend.exec("update private.retention_clock set seen_at = now(), doubted_since = null");
    expect(await findDue(email)).toBe("renewal");
  });

  // The last column is the number of digests of the address that stay.
  it.each([
    ["an unconfirmed person seven days after the ask", network.ask, asked, "7 days 1 second", "6 days 23 hours", 0],
    ["a member 24 months after being declined", network.join, declined, "24 months 1 second", "23 months 27 days", 0],
    ["a member silent for 60 days after the question", network.join, silent, "60 days 1 second", "59 days 23 hours", 1],
    ["a member whose mailbox refused mail for 60 days", network.join, refusing, "61 days", "59 days", 1],
    ["a member seven days after they stopped all mail", network.join, stopped, "7 days 1 second", "6 days 23 hours", 1],
  ])("deletes %s, unless restricted", async (_, begin, set, due, kept, digests) => {
    const members = [await begin(), await begin(), await begin()];
    const [old, young, restricted] = members.map(({ email }) => email);
    for (const { email } of members) await network.settle(email);
    await network.set(old!, set(due));
    await network.set(young!, set(kept));
    await network.set(restricted!, `${set(due)}, frozen_at = now()`);
    expect(await keepRetention(backend)).toMatchObject({ ...nothingDeleted, members: 1 });
    expect(await network.find(old!)).toBeUndefined();
    for (const email of [young!, restricted!]) expect(await network.find(email)).toBeDefined();
    expect(await network.countDepartures(old!)).toBe(digests);
  });

  it("keeps a member whose mailbox refuses mail until 60 days after the question would have come", async () => {
    const { email } = await network.join();
    await network.set(email, `renewed_at = ${ago("25 months")}, paused_at = ${ago("61 days")}`);
    expect(await keepRetention(backend)).toMatchObject({ members: 0 });
  });

  it("forgets a member's later wish after seven days", async () => {
    const { email } = await network.join();
    await network.ask({ email, membership: { kind: "fund" } });
    await network.settle(email);
    const keepAfter = async (time: string) => {
      await network.set(email, `pending_at = ${ago(time)}`);
      return (await keepRetention(backend)).wishes;
    };
    expect([await keepAfter("6 days 23 hours"), await keepAfter("7 days 1 hour")]).toEqual([0, 1]);
    expect(await network.find(email)).toMatchObject({ pending: null, kind: "angel" });
  });
});
