import type { SupabaseClient } from "@supabase/supabase-js";
import { beforeAll, expect, it } from "vitest";
import { eachBackend } from "../support/backends.ts";
import { receiveConfirmed, takeStep } from "../support/data-rights.ts";
import { ageMember, ask, byToken, countDepartures, findMember, join, settleWaiting } from "../support/network.ts";
import { ago, keepRetention, nothingDeleted, setRows } from "../support/retention.ts";
import { signInAdmin } from "../support/test-backend.ts";

eachBackend("retention of the network", (backend) => {
  let admin: SupabaseClient;

  beforeAll(async () => {
    admin = backend.client((await signInAdmin(backend)).token);
  });

  const members = "public.network_members";
  const isStored = async ({ email }: { email: string }) => (await findMember(backend, email)) !== undefined;

  /** Creates a member whom the firm declined this long ago. */
  async function decline(interval: string) {
    const member = await join(backend);
    const decision = { member_id: member.id, action: "declined", note: null, seen_version: 1 };
    await admin.rpc("review_network_member", decision).throwOnError();
    await setRows(backend, members, member.id, `decided_at = ${ago(interval)}`);
    return member;
  }

  /** Creates a member who was asked to renew this long ago. */
  async function fallSilent(interval: string, more = "renewal_asked_at = renewal_asked_at") {
    const member = await join(backend);
    await setRows(backend, members, member.id, `renewed_at = ${ago("27 months")}, renewal_asked_at = ${ago(interval)}`);
    await setRows(backend, members, member.id, more);
    return member;
  }

  it("deletes an unconfirmed ask after seven days, and leaves nothing of it", async () => {
    const [old, young] = [await ask(backend), await ask(backend)];
    for (const { email } of [old, young]) await settleWaiting(backend, email);
    await ageMember(backend, old.email, "asked_at", "7 days 1 second");
    await ageMember(backend, young.email, "asked_at", "6 days 23 hours");
    expect(await keepRetention(backend)).toMatchObject({ ...nothingDeleted, members: 1 });
    expect([await isStored(old), await isStored(young)]).toEqual([false, true]);
    expect(await countDepartures(backend, old.email)).toBe(0);
  });

  it("deletes a declined member 24 months after the decision", async () => {
    const [old, young] = [await decline("24 months 1 second"), await decline("23 months 27 days")];
    expect(await keepRetention(backend)).toMatchObject({ ...nothingDeleted, members: 1 });
    expect([await isStored(old), await isStored(young)]).toEqual([false, true]);
  });

  it("removes a member 60 days after a renewal without a response, and keeps the digest", async () => {
    const [old, young] = [await fallSilent("60 days 1 second"), await fallSilent("59 days 23 hours")];
    // A mailbox that refuses mail was not asked.
    const [lost, fresh] = [await join(backend), await join(backend)];
    await setRows(backend, members, lost.id, `paused_at = ${ago("61 days")}, renewed_at = ${ago("26 months 1 day")}`);
    await setRows(backend, members, fresh.id, `paused_at = ${ago("59 days")}, renewed_at = ${ago("30 months")}`);
    expect(await keepRetention(backend)).toMatchObject({ ...nothingDeleted, members: 2 });
    const all = [old, young, lost, fresh];
    expect(await Promise.all(all.map(isStored))).toEqual([false, true, false, true]);
    expect(await Promise.all(all.map(({ email }) => countDepartures(backend, email)))).toEqual([1, 0, 1, 0]);
    expect(await byToken(backend, "find_membership", old.token)).toBeNull();
  });

  it("keeps a member who renewed, whose data is restricted, or who has asked for it", async () => {
    const renewed = await fallSilent("70 days");
    await byToken(backend, "confirm_membership", renewed.token);
    const frozen = await fallSilent("70 days", "frozen_at = now()");
    const frozenAsk = await ask(backend);
    await ageMember(backend, frozenAsk.email, "asked_at", "8 days");
    await setRows(backend, members, frozenAsk.email, "frozen_at = now()", "email");
    const requested = await fallSilent("70 days");
    const request = await receiveConfirmed(backend, { email: requested.email, type: "access" });
    expect(await keepRetention(backend)).toMatchObject({ ...nothingDeleted });
    expect(await Promise.all([renewed, frozen, frozenAsk, requested].map(isStored))).toEqual([true, true, true, true]);
    await takeStep(admin, request.id, "complete").throwOnError();
    expect(await keepRetention(backend)).toMatchObject({ ...nothingDeleted, members: 1 });
    expect(await isStored(requested)).toBe(false);
  });

  it("deletes digests of departures with the other records", async () => {
    const [old, young] = [await join(backend), await join(backend)];
    for (const { token } of [old, young]) await byToken(backend, "leave_network", token);
    await backend.sql(
      `update private.network_departures set left_at = ${ago("3 years 1 day")}
       where private.is_salted_digest_of(email_hash, private.digest($1)) returning 1 as ok`,
      [old.email],
    );
    expect(await keepRetention(backend)).toMatchObject({ ...nothingDeleted, records: 1 });
    expect([await countDepartures(backend, old.email), await countDepartures(backend, young.email)]).toEqual([0, 1]);
  });

  it("deletes no one after the clock has jumped", async () => {
    const member = await fallSilent("61 days");
    await backend.exec("update private.retention_clock set seen_at = now() - interval '61 days'");
    expect(await keepRetention(backend)).toBeNull();
    expect(await isStored(member)).toBe(true);
    await backend.exec("update private.retention_clock set doubted_since = null, seen_at = now()");
    expect(await keepRetention(backend)).toMatchObject({ members: 1 });
  });

  it("counts a member whom the database refuses to delete, and removes the others", async () => {
    const [stuck, other] = [await fallSilent("61 days"), await fallSilent("61 days")];
    await backend.exec(`create table private.test_holds (id uuid references public.network_members (id));
       insert into private.test_holds values ('${stuck.id}');`);
    const counts = await keepRetention(backend);
    await backend.exec("drop table private.test_holds");
    expect(counts).toMatchObject({ members: 1, members_refused: 1 });
    expect([await isStored(stuck), await isStored(other)]).toEqual([true, false]);
    expect(await countDepartures(backend, stuck.email)).toBe(0);
  });
});
