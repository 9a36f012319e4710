import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { receive } from "../support/examples.ts";
import { backends } from "../support/backends.ts";
import type { TestBackend } from "../support/test-backend.ts";

interface Total {
  key: string;
  hits: number;
  seconds_left: number;
}

const newKey = () => randomBytes(32).toString("base64url");

describe.each(backends)("count_rate_limit_hits on $name", ({ start }) => {
  let backend: TestBackend;

  beforeAll(async () => {
    backend = await start();
  });
  afterAll(() => backend?.close());

  const call = (counted: unknown) => backend.client().rpc("count_rate_limit_hits", { counted });
  async function count(...counted: { key: string; hits: number; seconds?: number }[]): Promise<Total[]> {
    const { data } = await call(counted.map((one) => ({ seconds: 600, ...one }))).throwOnError();
    return data as Total[];
  }
  async function totalOf(key: string, hits = 1): Promise<number | undefined> {
    return (await count({ key, hits }))[0]?.hits;
  }
  const expire = (key: string) =>
    backend.sql("update private.rate_limits set resets_at = now() - interval '1 second' where key = $1 returning key", [
      key,
    ]);

  it("adds up what everybody counts, each key apart, and tells when it begins anew", async () => {
    const [a, b] = [newKey(), newKey()];
    expect(await totalOf(a)).toBe(1);
    const totals = await count({ key: a, hits: 2 }, { key: b, hits: 5, seconds: 60 });
    expect(totals.map(({ key, hits }) => [key, hits])).toEqual(expect.arrayContaining([[a, 3], [b, 5]])); // prettier-ignore
    for (const { seconds_left: left, key } of totals) {
      expect(left).toBeGreaterThan(key === a ? 590 : 50);
      expect(left).toBeLessThanOrEqual(key === a ? 600 : 60);
    }
  });

  it("loses no hit of many calls at once, whatever the order of their keys", async () => {
    const keys = [newKey(), newKey(), newKey()];
    await Promise.all(
      Array.from({ length: 30 }, (_, i) => {
        const order = i % 2 === 0 ? keys : keys.toReversed();
        return count(...order.map((key) => ({ key, hits: 1 })));
      }),
    );
    for (const key of keys) expect(await totalOf(key)).toBe(31);
  });

  it("takes hits back, never below nothing, and makes no row for that", async () => {
    const key = newKey();
    expect(await count({ key, hits: -1 })).toEqual([]);
    await totalOf(key, 3);
    expect(await totalOf(key, -2)).toBe(1);
    expect(await totalOf(key, -2)).toBe(0);
    expect(await totalOf(key)).toBe(1);
  });

  it("begins anew after its time, and deletes what is past it", async () => {
    const [again, gone] = [newKey(), newKey()];
    await count({ key: again, hits: 7 }, { key: gone, hits: 7 });
    await expire(again);
    await expire(gone);
    const [total] = await count({ key: again, hits: 1 });
    expect(total?.hits).toBe(1);
    expect(total?.seconds_left).toBeGreaterThan(590);
    expect(await backend.sql("select key from private.rate_limits where key = $1", [gone])).toEqual([]);
  });

  it("refuses what is no list of counts, and holds a caller to sane figures", async () => {
    for (const counted of [null, {}, 5, Array.from({ length: 201 }, () => ({ key: newKey(), hits: 1, seconds: 1 }))])
      expect((await call(counted)).error?.code).toBe("22023");
    for (const key of ["short", `${"a".repeat(42)}'`, "a".repeat(44), "unsigned:send-contact-email"])
      expect((await call([{ key, hits: 1, seconds: 1 }])).error?.code).toBe("23514");
    expect((await call([{ key: newKey(), hits: "many", seconds: 1 }])).error?.code).toBe("22P02");
    expect((await call([{}, { key: newKey() }])).data).toEqual([]);
    const [key, twice] = [newKey(), newKey()];
    const [most] = await count({ key, hits: 1_000_000, seconds: 1_000_000 });
    expect(most).toMatchObject({ hits: 1_000 });
    expect(most?.seconds_left).toBeLessThanOrEqual(3_600);
    expect((await count({ key: twice, hits: 1 }, { key: twice, hits: 1 }))[0]?.hits).toBe(2);
  });

  it("stays bounded: a full table takes no new key, goes on counting those it has, and empties by itself", async () => {
    const [kept, late] = [newKey(), newKey()];
    await totalOf(kept);
    await backend.sql(
      `insert into private.rate_limits (key, hits, resets_at)
       select rpad(n::text, 43, '_'), 1, now() + interval '1 hour' from generate_series(1, 20000) as n returning 1 as one`,
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

  it("cannot set back what strangers share: acknowledgements without a client's code, and unsigned calls", async () => {
    await backend.sql("delete from private.rate_limits returning 1 as one");
    const acknowledged = () =>
      backend.sql("select id from private.email_outbox where kind = 'acknowledgement'").then((mails) => mails.length);
    const begin = await acknowledged();
    for (let i = 0; i < 6; i += 1) await receive(backend.service, { clientCodes: {} }).throwOnError();
    expect(await acknowledged()).toBe(begin + 5);
    const mayCall = async () => {
      const counting = backend.service.rpc("count_unsigned_call", { function_name: "send-contact-email" });
      return (await counting.throwOnError()).data === null;
    };
    for (let i = 0; i < 20; i += 1) expect(await mayCall()).toBe(true);
    expect(await mayCall()).toBe(false);
    // The names are no secret: they are in this repository.
    const counts = await backend.sql<{ key: string }>("select key from private.rate_limits");
    expect(counts).toHaveLength(2);
    for (const { key } of [...counts, { key: "-".repeat(43) }]) await call([{ key, hits: -100, seconds: 600 }]);
    await receive(backend.service, { clientCodes: {} }).throwOnError();
    expect(await acknowledged()).toBe(begin + 5);
    expect(await mayCall()).toBe(false);
    for (const client of [backend.client(), backend.client((await backend.signIn()).token)])
      expect((await client.rpc("count_unsigned_call", { function_name: "any" })).error?.code).toBe("42501");
  });

  it("is called by the web tier's role alone, and shows the table to nobody", async () => {
    const person = await backend.signIn();
    for (const client of [backend.client(person.token), backend.service])
      expect((await client.rpc("count_rate_limit_hits", { counted: [] })).error?.code).toBe("42501");
    expect((await backend.client().schema("private").from("rate_limits").select()).error).not.toBeNull();
  });
});
