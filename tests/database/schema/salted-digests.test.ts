import { createHash } from "node:crypto";
import { afterEach, expect, it } from "vitest";
import { productMigrations } from "#supabase/embedded/migrations.ts";
import { startTestBackend } from "../../embedded/support/start-backend.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

const start = async (migrations: Record<string, string>, dataDir?: string) => {
  const backend = await startTestBackend({ migrations, ...(dataDir && { dataDir }) });
  closing.push(backend.remove);
  return backend;
};

it("digests that an older release kept plain are salted, and still answer", async () => {
  const earlier = Object.entries(productMigrations).filter(([file]) => file < findFile("salted_digests"));
  const before = await start(Object.fromEntries(earlier));
  const plain = createHash("sha256").update("ada@example.com").digest("hex");
  await before.sql(
    `insert into private.erasure_tombstones (reference, email_hash, counts, erased_by)
     values ('DR-GONE-2222', $1, '{}', gen_random_uuid())`,
    [plain],
  );
  await before.sql(
    `with request as (
       insert into public.data_rights_requests (reference, request_type, name, email, description, due_on)
       values ('DR-2222-2222', 'rectification', 'Ada', 'ada@example.com', 'My name', current_date + 30) returning id
     )
     insert into public.data_rights_events (request_id, actor_kind, actor, action, note)
     select id, 'admin', gen_random_uuid(), 'corrected', 'name of message 1. SHA-256 of the old text: ' || $1 from request`,
    [plain],
  );
  await before.close();

  const after = await start(productMigrations, before.dataDir);
  const [tombstone] = await after.sql<{ kept: string }>("select email_hash as kept from private.erasure_tombstones");
  const [event] = await after.sql<{ kept: string }>("select note as kept from public.data_rights_events");
  expect(event?.kept).toMatch(/^name of message 1\. Salted SHA-256 of the old text: [0-9a-f]{96}$/);
  for (const { kept = "" } of [tombstone ?? {}, event ?? {}] as { kept?: string }[]) {
    expect(kept).not.toContain(plain);
    const isOf = "select private.is_salted_digest_of(right($1, 96), $2) as answer";
    expect(await after.sql(isOf, [kept, plain])).toEqual([{ answer: true }]);
  }
  await expect(after.sql("update public.data_rights_events set note = 'x'")).rejects.toThrow("only ever added to");
});

function findFile(name: string): string {
  return Object.keys(productMigrations).find((file) => file.includes(name)) ?? "";
}
