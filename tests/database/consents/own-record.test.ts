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

eachBackend("own consent record", (backend) => {
  let site: ConsentBackend;

  beforeAll(async () => {
    site = await prepareConsentBackend(backend);
  });

  const find = async (session_id: string | null) => {
    const { data } = await site.as("anonymous").rpc("find_consent", { session_id }).throwOnError();
    return data as Record<string, unknown> | null;
  };

  it("returns a record with its complete history", async () => {
    const first = await site.record();
    const last = await site.record({ ...first, analytics: false, decided_at: ago(0) });
    const { updated_at, history, ...record } = (await find(first.session_id))!;
    expect({ ...record, updated_at: new Date(updated_at as string).toISOString() }).toEqual(recordOf(last));
    const kept = (history as Record<string, string>[]).map(({ decided_at, recorded_at: _at, ...rest }) => ({
      ...rest,
      decided_at: new Date(decided_at ?? "").toISOString(),
    }));
    expect(kept).toMatchObject(
      [first, last].map(({ analytics, source, text_hash, decided_at }) => ({
        analytics_consent: analytics,
        source,
        text_hash,
        decided_at,
      })),
    );
  });

  it("deletes a record with its history, and no other record", async () => {
    const [own, other] = [await site.record(), await site.record()];
    for (let times = 0; times < 2; times++)
      await site.as("anonymous").rpc("erase_consent", { session_id: own.session_id }).throwOnError();
    expect(await find(own.session_id)).toBeNull();
    expect(await site.readHistory(own)).toEqual([]);
    expect(await site.findRecord(other)).toEqual(recordOf(other));
    expect(await site.readHistory(other)).toEqual([historyOf(other)]);
  });

  it("finds a record by its exact id only", async () => {
    const { session_id } = await site.record();
    for (const wrong of [session_id.slice(0, -1), `${session_id}0`, "%", "", null, newDecision().session_id]) {
      expect(await find(wrong)).toBeNull();
      await site.as("anonymous").rpc("erase_consent", { session_id: wrong }).throwOnError();
    }
    expect(await find(session_id)).not.toBeNull();
  });

  it("rejects any other deletion from the history", async () => {
    const decision = await site.record();
    await expect(
      site.backend.sql("delete from private.consent_history where session_id = $1 returning 1", [decision.session_id]),
    ).rejects.toThrow(/only ever added to/);
  });
});
