import { beforeAll, expect, it } from "vitest";
import { eachBackend } from "../support/backends.ts";
import {
  ago,
  historyOf,
  minute,
  newDecision,
  recordOf,
  type ConsentBackend,
  prepareConsentBackend,
} from "../support/consent.ts";

eachBackend("consent decisions", (backend) => {
  let site: ConsentBackend;

  beforeAll(async () => {
    site = await prepareConsentBackend(backend);
  });

  it("records a decision and its history", async () => {
    const decision = await site.record({ user_agent: null });
    expect(await site.findRecord(decision)).toEqual(recordOf(decision));
    expect(await site.readHistory(decision)).toEqual([historyOf(decision)]);
  });

  it.each(["anonymous", "signed-in", "admin"] as const)("rejects a decision from the role %s", async (role) => {
    const decision = newDecision();
    expect((await site.as(role).rpc("record_consent", decision)).error?.code).toBe("42501");
    expect(await site.findRecord(decision)).toBeUndefined();
    expect(await site.readHistory(decision)).toEqual([]);
  });

  it("replaces a record from a time when the clock was ahead", async () => {
    const first = await site.record();
    const sql = "update public.user_consents set updated_at = updated_at + interval '400 days' where session_id = $1";
    await backend.sql(`${sql} returning 1 as ok`, [first.session_id]);
    const withdrawal = await site.record({ ...first, analytics: false, decided_at: ago(0) });
    expect(await site.findRecord(first)).toEqual(recordOf(withdrawal));
  });

  it("replaces the record by a later decision or withdrawal, and keeps both in the history", async () => {
    const first = await site.record({ marketing: true });
    const withdrawal = await site.record({
      ...first,
      analytics: false,
      marketing: false,
      consent_version: "1.1",
      text_hash: "0".repeat(64),
      source: "dialog",
      user_agent: "Another/1.0",
      decided_at: ago(0),
    });
    expect(await site.findRecord(first)).toEqual(recordOf(withdrawal));
    expect(await site.readHistory(first)).toEqual([historyOf(first), historyOf(withdrawal)]);
  });

  it("stores a repeated decision once, and never reverts a later one", async () => {
    const first = await site.record();
    const later = await site.record({ ...first, analytics: false, decided_at: ago(0) });
    await Promise.all(Array.from({ length: 10 }, () => site.record(first)));
    expect(await site.findRecord(first)).toEqual(recordOf(later));
    expect(await site.readHistory(first)).toEqual([historyOf(first), historyOf(later)]);
  });

  it("adds a late decision to the history without reverting the record", async () => {
    const last = await site.record({ analytics: false, decided_at: ago(minute) });
    const earlier = await site.record({ ...last, analytics: true, decided_at: ago(2 * minute) });
    expect(await site.findRecord(last)).toEqual(recordOf(last));
    expect(await site.readHistory(last)).toEqual([historyOf(earlier), historyOf(last)]);
  });

  it.each(["first", "last"])("prefers the refusal of two simultaneous decisions, arriving %s", async (arrival) => {
    const allows = newDecision({ marketing: true });
    const refuses = { ...allows, marketing: false };
    for (const decision of arrival === "first" ? [refuses, allows] : [allows, refuses]) await site.record(decision);
    expect(await site.findRecord(allows)).toEqual(recordOf(refuses));
    expect(await site.readHistory(allows)).toHaveLength(2);
  });

  it("records a decision from a fast clock once, as of now, and accepts later ones", async () => {
    const fast = await site.record({ decided_at: ago(-4 * minute) });
    const recorded = await site.findRecord(fast);
    expect(Math.abs(Date.now() - Date.parse(recorded!.updated_at))).toBeLessThan(minute);
    await site.record(fast);
    expect(await site.readHistory(fast)).toEqual([historyOf(fast)]);
    const next = await site.record({ ...fast, analytics: false, decided_at: ago(0) });
    await site.record(fast);
    expect(await site.findRecord(fast)).toEqual(recordOf(next));
  });

  it("records the last of twenty concurrent decisions, and all of them in the history", async () => {
    const { session_id } = newDecision();
    const decisions = Array.from({ length: 20 }, (_, index) =>
      newDecision({ session_id, analytics: index % 3 === 0, decided_at: ago((20 - index) * 1000) }),
    );
    const shuffled = decisions.map((_, index) => decisions[(index * 7 + 19) % 20]!);
    expect(new Set(shuffled).size).toBe(20);
    await Promise.all(shuffled.map((decision) => site.record(decision)));
    expect(await site.findRecord(decisions[0]!)).toEqual(recordOf(decisions[19]!));
    expect(await site.readHistory(decisions[0]!)).toEqual(decisions.map(historyOf));
  });
});
