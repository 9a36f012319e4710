import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { call } from "../support/admin.ts";
import { eachBackend } from "../support/backends.ts";
import { ago, type Decision, minute, newDecision, year } from "../support/consent.ts";
import { readRow } from "../support/retention.ts";
import { fillIn } from "../support/statements.ts";

const required = ["session_id", "analytics", "marketing", "consent_version", "text_hash", "source", "decided_at"];

/** Malformed decisions, and the SQLSTATE that refuses each. */
const refused: [string, Partial<Record<keyof Decision, unknown>>, string][] = [
  ...required.map((field): [string, object, string] => [`no ${field}`, { [field]: null }, "23502"]),
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

/** Returns the row of `user_consents` after a decision. */
function recordOf(decision: Decision) {
  return {
    session_id: decision.session_id,
    analytics_consent: decision.analytics,
    marketing_consent: decision.marketing,
    functional_consent: true,
    user_agent: decision.user_agent,
    consent_version: decision.consent_version,
    updated_at: decision.decided_at,
  };
}

/** Returns the row of a decision in the history, as `readHistory` finds it. */
function historyOf({ analytics, marketing, consent_version, text_hash, source, decided_at }: Decision) {
  const choice = { analytics_consent: analytics, marketing_consent: marketing, functional_consent: true };
  return { ...choice, consent_version, text_hash, source, decided_at, recorded_by_the_clock: true };
}

eachBackend("consent decisions", (backend) => {
  /**
   * Records a decision as the function record-consent does.
   * @returns the complete decision
   */
  async function record(differences: Partial<Decision> = {}): Promise<Decision> {
    const decision = newDecision(differences);
    const response = await backend.service.rpc("record_consent", decision);
    expect(response).toMatchObject({ data: null, error: null, status: 204 });
    return decision;
  }

  /** Returns the row of the decision's session in `user_consents`, or undefined. */
  async function findRecord({ session_id }: Decision) {
    const row = await readRow(backend, "public.user_consents", session_id, "session_id");
    return row && { ...row, updated_at: new Date(String(row["updated_at"])).toISOString() };
  }

  /** Returns the history of the decision's session, oldest first. */
  const readHistory = ({ session_id }: Decision) =>
    backend.sql<Record<string, unknown>>(
      `select analytics_consent, marketing_consent, functional_consent, consent_version, text_hash, source,
         to_char(decided_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as decided_at,
         recorded_at between now() - interval '5 minutes' and now() as recorded_by_the_clock
       from private.consent_history as history where history.session_id = $1
       order by history.decided_at, history.analytics_consent desc`,
      [session_id],
    );

  const find = (session_id: string | null) => call(backend.client(), "find_consent", { session_id });
  const erase = (session_id: string | null) => call(backend.client(), "erase_consent", { session_id });

  it("replace a record from a time when the clock was ahead", async () => {
    const first = await record();
    const later = "updated_at = updated_at + interval '400 days'";
    await backend.exec(`update public.user_consents set ${later} where session_id = '${first.session_id}'`);
    const withdrawal = await record({ ...first, analytics: false, decided_at: ago(0) });
    expect(await findRecord(first)).toEqual(recordOf(withdrawal));
  });

  it("replace the record by a later one, with all its fields, and keep both in the history", async () => {
    const first = await record({ marketing: true });
    const withdrawal = await record({
      ...first,
      analytics: false,
      marketing: false,
      consent_version: "1.1",
      text_hash: "0".repeat(64),
      source: "dialog",
      user_agent: "Another/1.0",
      decided_at: ago(0),
    });
    // An earlier one that arrives again.
    await Promise.all(Array.from({ length: 10 }, () => record(first)));
    expect(await findRecord(first)).toEqual(recordOf(withdrawal));
    expect(await readHistory(first)).toEqual([historyOf(first), historyOf(withdrawal)]);
  });

  it.each(["first", "last"])("count as the refusal of two at the same moment, arriving %s", async (arrival) => {
    const allows = newDecision({ marketing: true });
    const refuses = { ...allows, marketing: false };
    for (const decision of arrival === "first" ? [refuses, allows] : [allows, refuses]) await record(decision);
    expect(await findRecord(allows)).toEqual(recordOf(refuses));
    expect(await readHistory(allows)).toHaveLength(2);
  });

  it("from a fast clock are recorded once, as of now, and make way for later ones", async () => {
    const fast = await record({ decided_at: ago(-4 * minute) });
    const recorded = await findRecord(fast);
    expect(Math.abs(Date.now() - Date.parse(recorded!.updated_at))).toBeLessThan(minute);
    await record(fast);
    expect(await readHistory(fast)).toEqual([historyOf(fast)]);
    const next = await record({ ...fast, analytics: false, decided_at: ago(0) });
    await record(fast);
    expect(await findRecord(fast)).toEqual(recordOf(next));
  });

  it("that arrive at once are all in the history, and the last one is the record", async () => {
    const { session_id } = newDecision();
    const decisions = Array.from({ length: 20 }, (_, index) =>
      newDecision({ session_id, analytics: index % 3 === 0, decided_at: ago((20 - index) * 1000) }),
    );
    const shuffled = decisions.map((_, index) => decisions[(index * 7 + 19) % 20]!);
    await Promise.all(shuffled.map(record));
    expect(await findRecord(decisions[0]!)).toEqual(recordOf(decisions[19]!));
    expect(await readHistory(decisions[0]!)).toEqual(decisions.map(historyOf));
  });

  it("are shown completely to who knows the id", async () => {
    const first = await record();
    const last = await record({ ...first, analytics: false, decided_at: ago(0) });
    const { updated_at, history, ...shown } = await find(first.session_id);
    expect({ ...shown, updated_at: new Date(updated_at).toISOString() }).toEqual(recordOf(last));
    const kept = history.map((entry: Record<string, string>) => {
      const decided_at = new Date(entry.decided_at!).toISOString();
      return { ...entry, decided_at, recorded_by_the_clock: true };
    });
    expect(kept).toMatchObject([first, last].map(historyOf));
  });

  it("are found, and erased with their history, by their exact id only", async () => {
    const [own, other] = [await record(), await record()];
    const { session_id } = other;
    await erase(own.session_id);
    expect(await readHistory(own)).toEqual([]);
    for (const wrong of [own.session_id, session_id.slice(0, -1), `${session_id}0`, "%", "", null])
      expect([wrong, await find(wrong), await erase(wrong)]).toEqual([wrong, null, null]);
    expect(await findRecord(other)).toEqual(recordOf(other));
    expect(await readHistory(other)).toEqual([historyOf(other)]);
  });

  it("stay in the history, even for its owner, except within an erasure", async () => {
    const decision = await record();
    const update = "update private.consent_history set analytics_consent = false where session_id = $1";
    const remove = "delete from private.consent_history where session_id = $1";
    const run = (statement: string) => backend.sql(`${statement} returning 1 as done`, [decision.session_id]);
    const runInErasure = (statement: string) =>
      backend.exec(`select set_config('private.erases_log', 'on', true); ${fillIn(statement, [decision.session_id])}`);
    const onlyAdded = /consent_history is only ever added to/;
    for (const statement of [update, remove]) await expect(run(statement)).rejects.toThrow(onlyAdded);
    await expect(runInErasure(update)).rejects.toThrow(onlyAdded);
    expect(await readHistory(decision)).toEqual([historyOf(decision)]);
    await runInErasure(remove);
    expect(await readHistory(decision)).toEqual([]);
    await record({ ...decision, decided_at: ago(0) });
    await expect(run(remove)).rejects.toThrow(onlyAdded);
  });

  it.each(refused)("are refused and not stored with %s, in a known session as in another", async (_, wrong, code) => {
    const [known, unknown] = [await record(), newDecision()];
    const send = async (decision: Decision) => {
      const { error, status } = await backend.service.rpc("record_consent", { ...decision, ...wrong });
      return { status, code: error?.code, message: error?.message };
    };
    const refusal = await send(unknown);
    expect(refusal.code).toBe(code);
    expect(await send(known)).toEqual(refusal);
    expect([await findRecord(known), await findRecord(unknown)]).toEqual([recordOf(known), undefined]);
    expect(await readHistory(known)).toEqual([historyOf(known)]);
  });

  it("are accepted at every limit", async () => {
    const limits: Partial<Decision>[] = [
      { session_id: `${"-_09azAZ".repeat(15)}${randomBytes(4).toString("hex")}` },
      { user_agent: "é".repeat(512) },
      { user_agent: null },
      { source: "signal", analytics: false },
      { decided_at: ago(1.99 * year) },
    ];
    for (const limit of limits) {
      const decision = await record(limit);
      expect(await findRecord(decision)).toEqual(recordOf(decision));
    }
  });
});
