import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { call } from "../support/admin.ts";
import { eachBackend } from "../support/backends.ts";
import { countRows, setRows } from "../support/retention.ts";

const newKey = () => randomBytes(32).toString("base64url");

eachBackend("count_attempt", (backend) => {
  const attempt = (subject_key: unknown, change: unknown = 1, seconds: unknown = 600) =>
    call(backend.client(), "count_attempt", { subject_key, change, seconds });
  const count = async (...attempted: Parameters<typeof attempt>) => (await attempt(...attempted))[0];
  const totalOf = async (key: string, change = 1) => (await count(key, change))?.hits;
  const expire = (key: string) =>
    setRows(backend, "private.rate_limits", key, "resets_at = now() - interval '1 second'", "key");

  it("sums the attempts of all callers per key and returns the seconds until the reset", async () => {
    const [a, b] = [newKey(), newKey()];
    expect(await totalOf(a)).toBe(1);
    const [second, other] = [await count(a), await count(b, 1, 60)];
    expect([second.hits, other.hits]).toEqual([2, 1]);
    const tensLeft = [second, other].map(({ seconds_left }) => Math.ceil(seconds_left / 10));
    expect(tensLeft).toEqual([60, 6]);
  });

  it("loses no attempt under concurrency", async () => {
    const [a, b] = [newKey(), newKey()];
    await Promise.all(Array.from({ length: 30 }, (_, i) => Promise.all([count(i % 2 ? a : b), count(i % 2 ? b : a)])));
    for (const key of [a, b]) expect(await totalOf(key)).toBe(31);
  });

  it("subtracts attempts, never below zero, and creates no row for that", async () => {
    const key = newKey();
    expect(await count(key, -1)).toBeUndefined();
    await totalOf(key);
    await totalOf(key);
    expect(await totalOf(key, -1)).toBe(1);
    expect(await totalOf(key, -1)).toBe(0);
    expect(await totalOf(key, -1)).toBe(0);
    expect(await totalOf(key)).toBe(1);
  });

  it("starts over after its period and deletes expired keys", async () => {
    const [again, gone] = [newKey(), newKey()];
    for (const key of [again, again, gone]) await count(key);
    await expire(again);
    await expire(gone);
    const total = await count(again);
    expect(total.hits).toBe(1);
    expect(total.seconds_left).toBeGreaterThan(590);
    expect(await countRows(backend, "private.rate_limits", gone, "key")).toBe(0);
  });

  it("rejects malformed keys and those of shared counts, changes and periods", async () => {
    // The key names of shared counts are public: they are in this repository, and no caller may reset one.
    for (const key of [null, "", "short", `${"a".repeat(42)}'`, "a".repeat(44), "unsigned:send-contact-email"])
      expect(await attempt(key)).toBe("22023");
    for (const change of [null, 0, 2, -2, 1_000_000]) expect(await attempt(newKey(), change)).toBe("22023");
    for (const seconds of [null, 0, -1, 3_601]) expect(await attempt(newKey(), 1, seconds)).toBe("22023");
    expect(await attempt(newKey(), "many")).toBe("22P02");
  });

  it("rejects new keys while the table is full, counts known ones, and frees expired rows", async () => {
    const [kept, late] = [newKey(), newKey()];
    await totalOf(kept);
    await backend.sql(
      `insert into private.rate_limits (key, hits, resets_at, lasts)
       select rpad(n::text, 43, '_'), 1, now() + interval '1 hour', interval '1 hour' from generate_series(1, 20000) as n returning 1 as one`,
    );
    expect(await totalOf(late)).toBeUndefined();
    expect(await totalOf(kept)).toBe(2);
    await backend.sql(
      "update private.rate_limits set resets_at = now() - interval '1 second' where key like '%\\_\\_\\_' returning 1 as one",
    );
    for (let i = 0; i < 60; i++) await totalOf(kept);
    expect(await totalOf(late)).toBe(1);
    const left = await backend.sql<{ n: number }>("select count(*)::int as n from private.rate_limits");
    expect(left[0]?.n).toBeLessThan(100);
  });
});
