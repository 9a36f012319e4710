import { beforeAll, expect, it } from "vitest";
import { eachBackend } from "../support/backends.ts";
import {
  ago,
  historyOf,
  newDecision,
  recordOf,
  type ConsentBackend,
  prepareConsentBackend,
} from "../support/consent.ts";

eachBackend("consent tables", (backend) => {
  let site: ConsentBackend;

  beforeAll(async () => {
    site = await prepareConsentBackend(backend);
  });

  it.each(["anonymous", "signed-in", "admin"] as const)("rejects every access by the role %s", async (role) => {
    const decision = await site.record();
    const row = { ...recordOf(decision), analytics_consent: false };
    const table = () => site.as(role).from("user_consents");
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
    expect(await site.findRecord(decision)).toEqual(recordOf(decision));
  });

  it("lets the service read the record, but not write past the history", async () => {
    const decision = await site.record();
    const table = () => site.backend.service.from("user_consents");
    expect(await site.findRecord(decision)).toEqual(recordOf(decision));
    expect((await table().insert(recordOf(newDecision()))).error?.code).toBe("42501");
    expect((await table().upsert(recordOf(decision))).error?.code).toBe("42501");
    expect((await table().update({ user_agent: "" }).eq("session_id", decision.session_id)).error?.code).toBe("42501");
    expect((await table().delete().eq("session_id", decision.session_id)).error?.code).toBe("42501");
  });

  it("hides the history from every API role", async () => {
    const decision = await site.record();
    const clients = [...(["anonymous", "signed-in", "admin"] as const).map(site.as), site.backend.service];
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
    expect(await site.readHistory(decision)).toEqual([historyOf(decision)]);
  });

  it("keeps the history append-only even for its owner, except within an erasure", async () => {
    const decision = await site.record();
    const where = "where session_id = $1";
    const update = `update private.consent_history set analytics_consent = false ${where} returning 1 as done`;
    const erase = `delete from private.consent_history ${where}`;
    const inErasure = "set_config('private.erases_consent', 'on', true) = 'on'";
    const run = (statement: string) => site.backend.sql(statement, [decision.session_id]);
    const onlyAdded = /the history of consent is only ever added to/;
    await expect(run(update)).rejects.toThrow(onlyAdded);
    await expect(run(update.replace("where", `where ${inErasure} and`))).rejects.toThrow(onlyAdded);
    await expect(run(`${erase} returning 1 as done`)).rejects.toThrow(onlyAdded);
    expect(await site.readHistory(decision)).toEqual([historyOf(decision)]);
    expect(await run(`${erase} and ${inErasure} returning 1 as done`)).toEqual([{ done: 1 }]);
    await site.record({ ...decision, decided_at: ago(0) });
    await expect(run(`${erase} returning 1 as done`)).rejects.toThrow(onlyAdded);
  });
});
