import { beforeAll, expect, it } from "vitest";
import { eachBackend } from "../support/backends.ts";
import {
  ago,
  historyOf,
  newDecision,
  recordOf,
  type ConsentBackend,
  type Role,
  prepareConsentBackend,
} from "../support/consent.ts";
import { fillIn } from "../support/statements.ts";
import { refusal } from "../support/test-backend.ts";

eachBackend("consent tables", (backend) => {
  let site: ConsentBackend;

  beforeAll(async () => {
    site = await prepareConsentBackend(backend);
  });

  const writes = [
    `insert into public.user_consents select * from jsonb_populate_record(null::public.user_consents, $1)`,
    "update public.user_consents set analytics_consent = false",
    "delete from public.user_consents",
  ];
  const refusalOf = (who: Role | "service", statement: string) =>
    refusal(backend, site.caller(who), statement, [recordOf(newDecision())]);

  it.each(["anonymous", "signed-in", "admin"] as const)("rejects every access by the role %s", async (role) => {
    const decision = await site.record();
    for (const statement of ["select count(*) from public.user_consents", ...writes])
      expect([statement, await refusalOf(role, statement)]).toEqual([statement, "42501"]);
    expect(await site.findRecord(decision)).toEqual(recordOf(decision));
  });

  it("lets the service read the record, but not write past the history", async () => {
    const decision = await site.record();
    expect(await site.findRecord(decision)).toEqual(recordOf(decision));
    for (const write of writes) expect([write, await refusalOf("service", write)]).toEqual([write, "42501"]);
  });

  it("keeps the history append-only even for its owner, except within an erasure", async () => {
    const decision = await site.record();
    const where = "where session_id = $1";
    const update = `update private.consent_history set analytics_consent = false ${where} returning 1 as done`;
    const erase = `delete from private.consent_history ${where}`;
    const run = (statement: string) => site.backend.sql(statement, [decision.session_id]);
    const onlyAdded = /consent_history is only ever added to/;
    await expect(run(update)).rejects.toThrow(onlyAdded);
    await expect(run(`${erase} returning 1 as done`)).rejects.toThrow(onlyAdded);
    expect(await site.readHistory(decision)).toEqual([historyOf(decision)]);
    const inErasure = (statement: string) =>
      site.backend.exec(
        `select set_config('private.erases_log', 'on', true); ${fillIn(statement, [decision.session_id])}`,
      );
    await expect(inErasure(update)).rejects.toThrow(onlyAdded);
    await inErasure(erase);
    expect(await site.readHistory(decision)).toEqual([]);
    await site.record({ ...decision, decided_at: ago(0) });
    await expect(run(`${erase} returning 1 as done`)).rejects.toThrow(onlyAdded);
  });
});
