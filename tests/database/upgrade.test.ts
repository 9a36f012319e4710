import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type EmbeddedBackend, startEmbeddedBackend } from "#supabase/embedded/embedded-backend.ts";
import { productMigrations } from "#supabase/embedded/migrations.ts";

/** The migrations up to the one before data rights, as a site runs them that has been in use. */
const earlier = Object.fromEntries(
  Object.entries(productMigrations).filter(([file]) => (/\d{14}/.exec(file)?.[0] ?? "") < "20261121002"),
);

describe("a site that was in use before data rights", () => {
  let dataDir: string;
  let backend: EmbeddedBackend | undefined;

  async function start(migrations = productMigrations): Promise<EmbeddedBackend> {
    return startEmbeddedBackend({
      dataDir,
      siteUrl: "http://localhost:3000",
      admin: { email: "owner@example.com", password: "correct horse battery staple" },
      functions: {},
      migrations,
      log: () => undefined,
    });
  }

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "advisory-upgrade-"));
  });
  afterAll(async () => {
    await backend?.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  it("keeps its messages and mails, and finds them by their words", async () => {
    const before = await start(earlier);
    const receive = `
      select submission_id::text as id from public.receive_contact_submission(
        '{"name": "Ada", "email": "ada@example.com", "company": "E", "stage": "S", "goal": "G", "message": "Old WORDS"}',
        repeat('f', 64), null,
        '[{"kind": "firm", "reply_to": "ada@example.com", "subject": "s", "body": "b"},
          {"kind": "acknowledgement", "recipient": "ada@example.com", "subject": "s", "body": "b"}]')`;
    const [{ id } = { id: "" }] = await before.sql<{ id: string }>(receive);
    await before.close();

    backend = await start();
    const found = `select id::text, state, frozen_at from public.contact_submissions as submission
      join private.submission_search as search on search.submission_id = submission.id
      where strpos(search.words, 'old words') > 0 and search.created_at = submission.created_at`;
    expect(await backend.sql(found)).toEqual([{ id, state: "new", frozen_at: null }]);
    const mails = "select kind, request_id, forget_when_delivered from private.email_outbox order by kind";
    expect(await backend.sql(mails)).toEqual([
      { kind: "acknowledgement", request_id: null, forget_when_delivered: false },
      { kind: "firm", request_id: null, forget_when_delivered: false },
    ]);
    const claimed = await backend.sql("select kind from public.claim_due_mail(10, 60)");
    expect(claimed).toHaveLength(2);
  });
});
