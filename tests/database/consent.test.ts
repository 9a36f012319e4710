import type { SupabaseClient } from "@supabase/supabase-js";
import { createHash, randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { backends } from "./support/backends.ts";
import { type Person, signInAdmin, type TestBackend } from "./support/test-backend.ts";

/** The parameters of `record_consent`. */
interface Decision {
  session_id: string;
  analytics: boolean;
  marketing: boolean;
  consent_version: string;
  text_hash: string;
  source: string;
  user_agent: string | null;
  decided_at: string;
}

const minute = 60_000;
const year = 365.25 * 24 * 60 * minute;

function ago(milliseconds: number): string {
  return new Date(Date.now() - milliseconds).toISOString();
}

/** A decision of a session that no other test uses, unless `differences` names one. */
function newDecision(differences: Partial<Decision> = {}): Decision {
  return {
    session_id: randomBytes(16).toString("hex"),
    analytics: true,
    marketing: false,
    consent_version: "1.0",
    text_hash: createHash("sha256").update("We use cookies.").digest("hex"),
    source: "banner",
    user_agent: "Mozilla/5.0",
    decided_at: ago(minute),
    ...differences,
  };
}

/** The row of `user_consents` that a decision makes. */
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

/** The row that `readHistory` finds of it. */
function historyOf({ analytics, marketing, consent_version, text_hash, source, decided_at }: Decision) {
  const choice = { analytics_consent: analytics, marketing_consent: marketing, functional_consent: true };
  return { ...choice, consent_version, text_hash, source, decided_at, recorded_by_the_clock: true };
}

describe.each(backends)("consent on $name", ({ start }) => {
  let backend: TestBackend;
  let visitor: SupabaseClient;
  let person: Person;
  let admin: Person;

  beforeAll(async () => {
    backend = await start();
    visitor = backend.client();
    person = await backend.signIn();
    admin = await signInAdmin(backend);
  });
  afterAll(() => backend?.close());

  function as(role: "anonymous" | "signed-in" | "admin"): SupabaseClient {
    return backend.client({ anonymous: undefined, "signed-in": person.token, admin: admin.token }[role]);
  }

  /** Records a decision and returns what differs from {@link newDecision}, filled in. */
  async function record(differences: Partial<Decision> = {}): Promise<Decision> {
    const decision = newDecision(differences);
    expect(await visitor.rpc("record_consent", decision)).toMatchObject({ data: null, error: null, status: 204 });
    return decision;
  }

  async function findRecord({ session_id }: Decision) {
    const { data } = await backend.service.from("user_consents").select().eq("session_id", session_id).throwOnError();
    return data[0] && { ...data[0], updated_at: new Date(data[0].updated_at).toISOString() };
  }

  function readHistory({ session_id }: Decision) {
    return backend.sql<Record<string, unknown>>(
      `select analytics_consent, marketing_consent, functional_consent, consent_version, text_hash, source,
         to_char(decided_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as decided_at,
         recorded_at between now() - interval '5 minutes' and now() as recorded_by_the_clock
       from private.consent_history as history where history.session_id = $1
       order by history.decided_at, history.analytics_consent desc`,
      [session_id],
    );
  }

  describe("a decision", () => {
    it.each(["anonymous", "signed-in", "admin"] as const)("is recorded for the %s", async (role) => {
      const decision = newDecision({ user_agent: null });
      await as(role).rpc("record_consent", decision).throwOnError();
      expect(await findRecord(decision)).toEqual(recordOf(decision));
      expect(await readHistory(decision)).toEqual([historyOf(decision)]);
    });

    it("takes the place of an earlier one, which stays in the history; withdrawal is one like any other", async () => {
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
      expect(await findRecord(first)).toEqual(recordOf(withdrawal));
      expect(await readHistory(first)).toEqual([historyOf(first), historyOf(withdrawal)]);
    });

    it("is one row, however often it is sent, and does not come back over a later one", async () => {
      const first = await record();
      const later = await record({ ...first, analytics: false, decided_at: ago(0) });
      await Promise.all(Array.from({ length: 10 }, () => record(first)));
      expect(await findRecord(first)).toEqual(recordOf(later));
      expect(await readHistory(first)).toEqual([historyOf(first), historyOf(later)]);
    });

    it("that arrives late joins the history, and the record does not go back", async () => {
      const last = await record({ analytics: false, decided_at: ago(minute) });
      const earlier = await record({ ...last, analytics: true, decided_at: ago(2 * minute) });
      expect(await findRecord(last)).toEqual(recordOf(last));
      expect(await readHistory(last)).toEqual([historyOf(earlier), historyOf(last)]);
    });

    it.each(["first", "last"])("that refuses counts over one of the same instant, arriving %s", async (arrival) => {
      const allows = newDecision({ marketing: true });
      const refuses = { ...allows, marketing: false };
      for (const decision of arrival === "first" ? [refuses, allows] : [allows, refuses]) await record(decision);
      expect(await findRecord(allows)).toEqual(recordOf(refuses));
      expect(await readHistory(allows)).toHaveLength(2);
    });

    it("by a clock that is a little fast is recorded once, as of now; the next one counts, and keeps counting", async () => {
      const fast = await record({ decided_at: ago(-4 * minute) });
      const recorded = await findRecord(fast);
      expect(Math.abs(Date.now() - Date.parse(recorded!.updated_at))).toBeLessThan(minute);
      await record(fast);
      expect(await readHistory(fast)).toEqual([historyOf(fast)]);
      const next = await record({ ...fast, analytics: false, decided_at: ago(0) });
      await record(fast);
      expect(await findRecord(fast)).toEqual(recordOf(next));
    });

    it("is the last of twenty at once, and all twenty are in the history", async () => {
      const { session_id } = newDecision();
      const decisions = Array.from({ length: 20 }, (_, index) =>
        newDecision({ session_id, analytics: index % 3 === 0, decided_at: ago((20 - index) * 1000) }),
      );
      const shuffled = decisions.map((_, index) => decisions[(index * 7 + 19) % 20]!);
      expect(new Set(shuffled).size).toBe(20);
      await Promise.all(shuffled.map(record));
      expect(await findRecord(decisions[0]!)).toEqual(recordOf(decisions[19]!));
      expect(await readHistory(decisions[0]!)).toEqual(decisions.map(historyOf));
    });
  });

  describe("what is malformed", () => {
    const refused: [string, Partial<Record<keyof Decision, unknown>>, string][] = [
      ["no session", { session_id: null }, "22023"],
      ["no choice on analytics", { analytics: null }, "22023"],
      ["no choice on marketing", { marketing: null }, "22023"],
      ["no version", { consent_version: null }, "22023"],
      ["no text", { text_hash: null }, "22023"],
      ["no source", { source: null }, "22023"],
      ["no date", { decided_at: null }, "22023"],
      ["a short session", { session_id: "a".repeat(31) }, "23514"],
      ["a long session", { session_id: "a".repeat(129) }, "23514"],
      ["a session with a space", { session_id: `${"a".repeat(32)} ` }, "23514"],
      ["a session with a line break", { session_id: `${"a".repeat(32)}\n` }, "23514"],
      ["a session with a foreign letter", { session_id: "é".repeat(32) }, "23514"],
      ["a user agent beyond measure", { user_agent: "a".repeat(513) }, "22023"],
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

    it.each(refused)("is refused and kept nowhere: %s", async (_, differences, code) => {
      const decision = { ...newDecision(), ...differences };
      expect((await visitor.rpc("record_consent", decision)).error?.code).toBe(code);
      if (typeof decision.session_id !== "string") return;
      expect(await findRecord(decision as Decision)).toBeUndefined();
      expect(await readHistory(decision as Decision)).toEqual([]);
    });

    it("is answered alike, whether the session and the decision are known or not", async () => {
      const known = await record();
      for (const wrong of [{ user_agent: "a".repeat(513) }, { source: "somebody" }, { decided_at: ago(-year) }]) {
        const errors = [known, newDecision()].map(async (decision) => {
          const { error, status } = await visitor.rpc("record_consent", { ...decision, ...wrong });
          return [status, error?.code, error?.message];
        });
        const [ofKnown, ofUnknown] = await Promise.all(errors);
        expect(ofKnown).toEqual(ofUnknown);
      }
      expect(await findRecord(known)).toEqual(recordOf(known));
    });

    it("accepts what lies within every limit", async () => {
      const limits: Partial<Decision>[] = [
        { session_id: `${"-_09azAZ".repeat(15)}${randomBytes(4).toString("hex")}` },
        { user_agent: "é".repeat(512) },
        { source: "signal", analytics: false },
        { decided_at: ago(1.99 * year) },
      ];
      for (const limit of limits) {
        const decision = await record(limit);
        expect(await findRecord(decision)).toEqual(recordOf(decision));
      }
    });
  });

  describe("the tables", () => {
    it.each(["anonymous", "signed-in", "admin"] as const)("refuse the %s altogether", async (role) => {
      const decision = await record();
      const row = { ...recordOf(decision), analytics_consent: false };
      const table = () => as(role).from("user_consents");
      const attempts = [
        table().select(),
        table().select("*", { count: "exact", head: true }),
        table().select().eq("session_id", decision.session_id),
        table().insert({ ...row, session_id: newDecision().session_id }),
        table().upsert(row, { onConflict: "session_id" }),
        table().update({ analytics_consent: false }).eq("session_id", decision.session_id),
        table().delete().eq("session_id", decision.session_id),
      ];
      for (const { error, data, count, status } of await Promise.all(attempts)) {
        expect(error).not.toBeNull();
        expect([status, data, count]).toEqual([role === "anonymous" ? 401 : 403, null, null]);
      }
      expect(await findRecord(decision)).toEqual(recordOf(decision));
    });

    it("let the service read, but not write past the history", async () => {
      const decision = await record();
      const table = () => backend.service.from("user_consents");
      expect(await findRecord(decision)).toEqual(recordOf(decision));
      expect((await table().insert(recordOf(newDecision()))).error?.code).toBe("42501");
      expect((await table().upsert(recordOf(decision))).error?.code).toBe("42501");
      expect((await table().update({ user_agent: "" }).eq("session_id", decision.session_id)).error?.code).toBe(
        "42501",
      );
      expect((await table().delete().eq("session_id", decision.session_id)).error?.code).toBe("42501");
      expect((await backend.service.rpc("record_consent", newDecision())).error?.code).toBe("42501");
    });

    it("let nobody through the API near the history", async () => {
      const decision = await record();
      const clients = [...(["anonymous", "signed-in", "admin"] as const).map(as), backend.service];
      const tables = clients.flatMap((client) => [
        () => client.from("consent_history"),
        () => client.schema("private").from("consent_history"),
      ]);
      for (const table of tables) {
        const attempts = [
          table().select(),
          table().insert({ ...historyOf(decision), session_id: decision.session_id }),
          table().update({ analytics_consent: false }).eq("session_id", decision.session_id),
          table().delete().eq("session_id", decision.session_id),
        ];
        for (const { error, data } of await Promise.all(attempts)) {
          expect(error).not.toBeNull();
          expect(data).toBeNull();
        }
      }
      expect(await readHistory(decision)).toEqual([historyOf(decision)]);
    });

    it("keep the history from the database's owner, too, but for the erasure that says it is one", async () => {
      const decision = await record();
      const where = "where session_id = $1";
      const update = `update private.consent_history set analytics_consent = false ${where} returning 1 as done`;
      const erase = `delete from private.consent_history ${where}`;
      const inErasure = "set_config('private.erases_consent', 'on', true) = 'on'";
      const run = (statement: string) => backend.sql(statement, [decision.session_id]);
      const onlyAdded = /the history of consent is only ever added to/;
      await expect(run(update)).rejects.toThrow(onlyAdded);
      await expect(run(update.replace("where", `where ${inErasure} and`))).rejects.toThrow(onlyAdded);
      await expect(run(`${erase} returning 1 as done`)).rejects.toThrow(onlyAdded);
      expect(await readHistory(decision)).toEqual([historyOf(decision)]);
      expect(await run(`${erase} and ${inErasure} returning 1 as done`)).toEqual([{ done: 1 }]);
      await record({ ...decision, decided_at: ago(0) });
      await expect(run(`${erase} returning 1 as done`)).rejects.toThrow(onlyAdded);
    });
  });
});
