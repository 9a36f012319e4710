import type { SupabaseClient } from "@supabase/supabase-js";
import { beforeAll, expect, it } from "vitest";
import { networkPeriods } from "~/content/facts";
import { eachBackend } from "../support/backends.ts";
import { keepRetention } from "../support/retention.ts";
import {
  ageLinks,
  ageMember,
  ask,
  byToken,
  findMember,
  join,
  linkMail,
  readMemberActions,
  readNetworkMails,
  settleWaiting,
  tokenOf,
} from "../support/network.ts";
import { signInAdmin } from "../support/test-backend.ts";

eachBackend("reminders and renewals of the network", (backend) => {
  let admin: SupabaseClient;

  beforeAll(async () => {
    admin = backend.client((await signInAdmin(backend)).token);
  });

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
    const { id } = (await findMember(backend, email))!;
    const call = { member_id: id, mail_kind, mail: linkMail };
    await backend.service.rpc("queue_network_mail", call).throwOnError();
    return tokenOf(backend, email);
  }

  it("reminds a person once, three days after asking, if they did not confirm", async () => {
    const { email } = await ask(backend);
    await settleWaiting(backend, email);
    await ageMember(backend, email, "asked_at", "2 days 23 hours");
    expect(await findDue(email)).toBeUndefined();
    await ageMember(backend, email, "asked_at", "2 hours");
    expect(await findDue(email)).toBe("reminder");
    expect(await readMemberActions(backend, email)).toEqual(["member asked"]);
    // Two workers at once, and another kind.
    await queue(email, "renewal");
    await queue(email, null);
    const [token] = await Promise.all([queue(email, "reminder"), queue(email, "reminder")]);
    expect(await readNetworkMails(backend, email)).toHaveLength(2);
    expect(await readMemberActions(backend, email)).toEqual(["member asked"]);
    await settleWaiting(backend, email);
    expect(await readMemberActions(backend, email)).toEqual(["member asked", "system reminded"]);
    expect(await findDue(email)).toBeUndefined();
    expect(await byToken(backend, "find_membership", token)).not.toBeNull();
    // The reminder does not begin the seven days anew.
    await ageMember(backend, email, "asked_at", "4 days");
    expect(await byToken(backend, "find_membership", token)).toBeNull();
  });

  it("reminds nobody who confirmed, was held back, or whose time is over", async () => {
    const confirmed = await join(backend);
    const held = await ask(backend, { quarantineReason: "honeypot" });
    const late = await ask(backend);
    for (const { email } of [confirmed, late]) await settleWaiting(backend, email);
    await ageMember(backend, late.email, "asked_at", "7 days 1 minute");
    for (const { email } of [confirmed, held]) await ageMember(backend, email, "asked_at", "4 days");
    for (const { email } of [confirmed, held, late]) expect(await findDue(email)).toBeUndefined();
  });

  it("asks a member to stay 24 months after the last yes, and again 24 months later", async () => {
    const { email, id } = await join(backend);
    await settleWaiting(backend, email);
    await admin
      .rpc("review_network_member", { member_id: id, action: "admitted", note: null, seen_version: 1 })
      .throwOnError();
    await ageMember(backend, email, "asked_at, confirmed_at, renewed_at, decided_at", renewalMonths);
    expect(await findDue(email)).toBe("renewal");
    const renewal = await queue(email, "renewal");
    await settleWaiting(backend, email);
    expect(await findDue(email)).toBeUndefined();
    expect(await byToken(backend, "find_membership", renewal)).toMatchObject({
      state: "admitted",
      renewal_asked_at: expect.any(String),
    });
    const version = ((await findMember(backend, email)) as { version: number }).version;
    expect(await byToken(backend, "confirm_membership", renewal)).toMatchObject({
      state: "admitted",
      renewal_asked_at: null,
      version,
    });
    expect((await readMemberActions(backend, email)).slice(3)).toEqual(["system renewal-asked", "member renewed"]);
    await ageMember(backend, email, "renewed_at", renewalMonths);
    await ageLinks(backend, email, renewalMonths);
    expect(await findDue(email)).toBe("renewal");
  });

  it("counts a change of details, and a second ask, as the renewal", async () => {
    for (const act of ["change", "ask"]) {
      const { email } = await join(backend);
      await settleWaiting(backend, email);
      await ageMember(backend, email, "asked_at, confirmed_at, renewed_at", renewalMonths);
      const token = await queue(email, "renewal");
      await settleWaiting(backend, email);
      await ageLinks(backend, email);
      if (act === "change") {
        const change = { token, details: { place: "Maine" }, seen_version: 1 };
        await backend.client().rpc("change_membership", change).throwOnError();
      } else {
        const again = await ask(backend, { email, membership: { place: "Maine" } });
        await byToken(backend, "confirm_membership", again.token);
      }
      expect(await findMember(backend, email)).toMatchObject({ place: "Maine", renewal_asked_at: null });
      expect((await readMemberActions(backend, email)).at(-1)).toBe("member renewed");
      expect(await findDue(email)).toBeUndefined();
    }
  });

  it("asks no one who was declined, is restricted, or whose mailbox refuses mail", async () => {
    const members = await Promise.all([join(backend), join(backend), join(backend)]);
    const [declined, frozen, paused] = members;
    await admin
      .rpc("review_network_member", { member_id: declined!.id, action: "declined", note: null, seen_version: 1 })
      .throwOnError();
    const set = (id: string, column: string) =>
      backend.sql(`update public.network_members set ${column} = now() where id = $1 returning 1 as ok`, [id]);
    await set(frozen!.id, "frozen_at");
    await set(paused!.id, "paused_at");
    for (const { email } of members) await settleWaiting(backend, email);
    for (const { email } of members) {
      await ageMember(backend, email, "renewed_at", "3 years");
      expect(await findDue(email)).toBeUndefined();
      await queue(email, "renewal");
      expect(await readNetworkMails(backend, email)).toHaveLength(1);
    }
  });

  it("asks no one while the clock is in doubt", async () => {
    const { email } = await join(backend);
    await settleWaiting(backend, email);
    await ageMember(backend, email, "renewed_at", renewalMonths);
    await keepRetention(backend);
    await backend.exec("update private.retention_clock set seen_at = now() - interval '3 years'");
    expect(await findDue(email)).toBeUndefined();
    await backend.exec("update private.retention_clock set seen_at = now(), doubted_since = null");
    expect(await findDue(email)).toBe("renewal");
  });
});
