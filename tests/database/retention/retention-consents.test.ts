import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { eachBackend } from "../support/backends.ts";
import { ago, countRows, keepRetention, nothingDeleted } from "../support/retention.ts";

eachBackend("retention of consents", (backend) => {
  /** Records decisions of one session: [allows analytics, how long ago, source]. */
  async function decide(...decisions: [boolean, string, ("banner" | "signal")?][]) {
    const session = randomBytes(16).toString("hex");
    for (const [allows, moment, source = "banner"] of decisions) {
      await backend.sql(
        `insert into private.consent_history
         values ($1, $2::boolean, false, true, '1.0', repeat('a', 64), '${source}', ${ago(moment)}) returning 1 as ok`,
        [session, allows],
      );
    }
    const [allows, moment] = decisions.at(-1)!;
    await backend.sql(
      `insert into public.user_consents values ($1, $2::boolean, false, true, null, '1.0', ${ago(moment)}) returning 1 as ok`,
      [session, allows],
    );
    const left = async () => [
      await countRows(backend, "public.user_consents", session, "session_id"),
      await countRows(backend, "private.consent_history", session, "session_id"),
    ];
    return { left };
  }

  it("deletes consents after two years and withdrawn ones after 30 days, but keeps refusals", async () => {
    const old = await decide([true, "2 years 1 day"]);
    const young = await decide([true, "1 year 11 months"]);
    const renewed = await decide([true, "2 years 1 day"], [true, "1 day"]);
    const withdrawn = await decide([true, "1 year"], [false, "31 days"]);
    const justWithdrawn = await decide([true, "1 year"], [false, "29 days"]);
    const refused = await decide([false, "1 year"]);
    const taken = await decide([false, "1 year"], [true, "31 days"]);
    expect(await keepRetention(backend)).toEqual({ ...nothingDeleted, consents: 2, consent_decisions: 4 });
    const left = await Promise.all(
      [old, young, renewed, withdrawn, justWithdrawn, refused, taken].map((session) => session.left()),
    );
    expect(left).toEqual([
      [0, 0],
      [1, 1],
      [1, 1],
      [0, 0],
      [1, 2],
      [1, 1],
      [1, 2],
    ]);
  });

  it("deletes signal-only records, and consents that a signal ended, after 30 days", async () => {
    const signalled = await decide([false, "31 days", "signal"]);
    const justSignalled = await decide([false, "29 days", "signal"]);
    const thenRefused = await decide([false, "60 days", "signal"], [false, "40 days"]);
    const ended = await decide([true, "60 days"], [false, "31 days", "signal"]);
    expect(await keepRetention(backend)).toEqual({ ...nothingDeleted, consents: 2, consent_decisions: 3 });
    const sessions = [signalled, justSignalled, thenRefused, ended];
    expect(await Promise.all(sessions.map((session) => session.left()))).toEqual([
      [0, 0],
      [1, 1],
      [1, 2],
      [0, 0],
    ]);
  });
});
