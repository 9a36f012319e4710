import { randomBytes } from "node:crypto";
import { beforeAll, expect, it } from "vitest";
import { eachBackend } from "../support/backends.ts";
import {
  ago,
  type Decision,
  minute,
  newDecision,
  recordOf,
  year,
  type ConsentBackend,
  prepareConsentBackend,
} from "../support/consent.ts";

eachBackend("malformed consent decisions", (backend) => {
  let site: ConsentBackend;

  beforeAll(async () => {
    site = await prepareConsentBackend(backend);
  });

  const refused: [string, Partial<Record<keyof Decision, unknown>>, string][] = [
    ["no session", { session_id: null }, "23502"],
    ["no choice on analytics", { analytics: null }, "23502"],
    ["no choice on marketing", { marketing: null }, "23502"],
    ["no version", { consent_version: null }, "23502"],
    ["no text", { text_hash: null }, "23502"],
    ["no source", { source: null }, "23502"],
    ["no date", { decided_at: null }, "23502"],
    ["a short session", { session_id: "a".repeat(31) }, "23514"],
    ["a long session", { session_id: "a".repeat(129) }, "23514"],
    ["a session with a space", { session_id: `${"a".repeat(32)} ` }, "23514"],
    ["a session with a line break", { session_id: `${"a".repeat(32)}\n` }, "23514"],
    ["a session with a non-ASCII letter", { session_id: "é".repeat(32) }, "23514"],
    ["an overlong user agent", { user_agent: "a".repeat(513) }, "22023"],
    ["a version in words", { consent_version: "latest" }, "23514"],
    ["a short hash", { text_hash: "a".repeat(63) }, "23514"],
    ["a hash in capitals", { text_hash: "A".repeat(64) }, "23514"],
    ["an unknown source", { source: "somebody" }, "23514"],
    ["a signal that allows", { source: "signal", analytics: true }, "23514"],
    ["a future date", { decided_at: ago(-6 * minute) }, "22023"],
    ["the end of time", { decided_at: "infinity" }, "22023"],
    ["the beginning of time", { decided_at: "-infinity" }, "22023"],
    ["a date that retention would delete", { decided_at: ago(2.01 * year) }, "22023"],
  ];

  it.each(refused)("rejects and does not store %s", async (_, differences, code) => {
    const decision = { ...newDecision(), ...differences };
    expect((await site.backend.service.rpc("record_consent", decision)).error?.code).toBe(code);
    if (typeof decision.session_id !== "string") return;
    expect(await site.findRecord(decision as Decision)).toBeUndefined();
    expect(await site.readHistory(decision as Decision)).toEqual([]);
  });

  it("returns the same error for known and unknown sessions", async () => {
    const known = await site.record();
    for (const wrong of [{ user_agent: "a".repeat(513) }, { source: "somebody" }, { decided_at: ago(-year) }]) {
      const errors = [known, newDecision()].map(async (decision) => {
        const { error, status } = await site.backend.service.rpc("record_consent", { ...decision, ...wrong });
        return [status, error?.code, error?.message];
      });
      const [ofKnown, ofUnknown] = await Promise.all(errors);
      expect(ofKnown).toEqual(ofUnknown);
    }
    expect(await site.findRecord(known)).toEqual(recordOf(known));
  });

  it("accepts decisions at every limit", async () => {
    const limits: Partial<Decision>[] = [
      { session_id: `${"-_09azAZ".repeat(15)}${randomBytes(4).toString("hex")}` },
      { user_agent: "é".repeat(512) },
      { source: "signal", analytics: false },
      { decided_at: ago(1.99 * year) },
    ];
    for (const limit of limits) {
      const decision = await site.record(limit);
      expect(await site.findRecord(decision)).toEqual(recordOf(decision));
    }
  });
});
