import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { backends } from "./support/backends.ts";
import { exampleMails, exampleSubmission, newFingerprint } from "./support/examples.ts";
import type { TestBackend } from "./support/test-backend.ts";

const newKey = () => randomBytes(32).toString("base64url");

describe.each(backends)("receive_contact_delivery on $name", ({ start }) => {
  let backend: TestBackend;

  beforeAll(async () => {
    backend = await start();
  });
  afterAll(() => backend?.close());

  const deliver = (delivery_key: string, fingerprint: string, submission: Record<string, unknown> = {}) =>
    backend.service.rpc("receive_contact_delivery", {
      delivery_key,
      submission: { ...exampleSubmission, ...submission },
      fingerprint,
      quarantine_reason: null,
      mails: exampleMails,
    });
  async function count(): Promise<number | undefined> {
    const [row] = await backend.sql<{ n: number }>("select count(*)::int as n from public.contact_submissions");
    return row?.n;
  }

  it("stores a message once, though it comes again after its day's receipt is gone", async () => {
    const [key, fingerprint] = [newKey(), newFingerprint()];
    expect((await deliver(key, fingerprint)).data).toBe(true);
    const stored = await count();
    await backend.sql("delete from private.contact_receipts where fingerprint = $1 returning 1 as one", [fingerprint]);
    expect((await deliver(key, fingerprint)).data).toBe(false);
    expect(await count()).toBe(stored);
  });

  it("stores one of ten deliveries at once", async () => {
    const key = newKey();
    const before = (await count()) ?? Number.NaN;
    // Fingerprints that differ: only the key can tell that they are the same.
    const answers = await Promise.all(Array.from({ length: 10 }, () => deliver(key, newFingerprint()).throwOnError()));
    expect(answers.filter(({ data }) => data === true)).toHaveLength(1);
    expect(await count()).toBe(before + 1);
  });

  it("still stores the same words of the same day once, under whatever key", async () => {
    const fingerprint = newFingerprint();
    expect((await deliver(newKey(), fingerprint)).data).toBe(true);
    expect((await deliver(newKey(), fingerprint)).data).toBe(false);
  });

  it("keeps nothing of a delivery that is refused, its key included", async () => {
    const [key, fingerprint] = [newKey(), newFingerprint()];
    expect((await deliver(key, fingerprint, { name: "a".repeat(101) })).error?.code).toBe("23514");
    expect((await deliver("short", fingerprint)).error?.code).toBe("23514");
    expect((await deliver(key, fingerprint)).data).toBe(true);
  });

  it("forgets keys that are older than a submission may be", async () => {
    const [old, young] = [newKey(), newKey()];
    for (const key of [old, young]) await deliver(key, newFingerprint()).throwOnError();
    const age = (key: string, time: string) =>
      backend.sql(
        `update private.contact_deliveries set received_at = now() - interval '${time}' where delivery_key = $1 returning 1 as one`,
        [key],
      );
    await age(old, "2 years 1 day");
    await age(young, "1 year 364 days");
    await deliver(newKey(), newFingerprint()).throwOnError();
    const left = await backend.sql<{ delivery_key: string }>("select delivery_key from private.contact_deliveries");
    const keys = left.map(({ delivery_key }) => delivery_key);
    expect(keys).toContain(young);
    expect(keys).not.toContain(old);
  });

  it("is called by the edge function's role alone", async () => {
    const person = await backend.signIn();
    for (const client of [backend.client(), backend.client(person.token)]) {
      const call = client.rpc("receive_contact_delivery", {
        delivery_key: newKey(),
        submission: exampleSubmission,
        fingerprint: newFingerprint(),
        quarantine_reason: null,
        mails: [],
      });
      expect((await call).error?.code).toBe("42501");
    }
  });
});
