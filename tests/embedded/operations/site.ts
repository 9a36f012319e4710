import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { productMigrations } from "#supabase/embedded/migrations.ts";
import { receive } from "../../database/support/examples.ts";
import { makeSiteFolder } from "../../support/site-folder.ts";
import { startTestBackend, type TestBackend } from "../support/start-backend.ts";

/** Starts a backend with the product's tables, on a folder that also has the web tier's files. */
export async function startSite(): Promise<TestBackend> {
  const dataDir = await makeSiteFolder();
  await writeFile(join(dataDir, "session-secret"), "a secret that signs cookies", { mode: 0o600 });
  await mkdir(join(dataDir, "mail"), { mode: 0o700 });
  await writeFile(join(dataDir, "mail", "one.eml"), "Subject: one\r\n\r\nHello", { mode: 0o600 });
  await writeFile(join(dataDir, "mail", "two.eml.tmp"), "Subject: tw");
  return startTestBackend({ dataDir, migrations: productMigrations });
}

/** Stores one message through the site's function. @returns its id, after the acknowledgment */
export async function sendMessage({ service }: TestBackend): Promise<string> {
  const { data } = await receive(service, { submission: { message: "Grüße\n🙂" } }).throwOnError();
  return data.submission_id;
}
