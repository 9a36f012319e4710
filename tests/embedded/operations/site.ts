import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { randomUUID } from "node:crypto";
import type { EmbeddedBackend } from "#supabase/embedded/embedded-backend.ts";
import { productMigrations } from "#supabase/embedded/migrations.ts";
import { makeSiteFolder } from "../../support/site-folder.ts";
import { clientOf } from "../support/client.ts";
import { startTestBackend, type TestBackend } from "../support/start-backend.ts";

/** Starts a backend with the product's tables, on a folder that also has the web tier's files. */
export async function startSite(dataDir?: string): Promise<TestBackend> {
  const folder = dataDir ?? (await makeSiteFolder());
  await writeFile(join(folder, "session-secret"), "a secret that signs cookies", { mode: 0o600 });
  await mkdir(join(folder, "mail"), { recursive: true, mode: 0o700 });
  await writeFile(join(folder, "mail", "one.eml"), "Subject: one\r\n\r\nHello", { mode: 0o600 });
  await writeFile(join(folder, "mail", "two.eml.tmp"), "Subject: tw");
  return startTestBackend({ dataDir: folder, migrations: productMigrations });
}

/** Stores one message through the site's function, and returns its id after the acknowledgment. */
export async function sendMessage(backend: EmbeddedBackend): Promise<string> {
  const { data, error } = await clientOf(backend, backend.secretKey)
    .rpc("receive_contact_submission", {
      submission: { name: "Zoë", email: "zoe@example.com", company: "C", stage: "S", goal: "G", message: "Grüße\n🙂" },
      fingerprint: randomUUID(),
      quarantine_reason: null,
      mails: [{ kind: "firm", recipient: null, reply_to: "zoe@example.com", subject: "New", body: "Grüße" }],
    })
    .single<{ submission_id: string }>();
  if (error) throw error;
  return data.submission_id;
}

/** Returns the ids of all stored messages. */
export async function storedMessages(backend: EmbeddedBackend): Promise<Set<string>> {
  const rows = await backend.sql<{ id: string }>("select id from public.contact_submissions");
  return new Set(rows.map(({ id }) => id));
}
