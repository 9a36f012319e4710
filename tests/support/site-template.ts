import { mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { copyTree } from "#supabase/embedded/folder/copy-tree.ts";
import { startEmbeddedBackend } from "#supabase/embedded/embedded-backend.ts";

/**
 * Makes a folder with the embedded database of a site that has been set up and has no accounts yet.
 * @param target its path; left alone when somebody else has made it meanwhile
 */
export async function makeSiteTemplate(target: string): Promise<void> {
  const [dataDir, draft] = await Promise.all([
    mkdtemp(join(tmpdir(), "site-template-")),
    mkdtemp(join(dirname(target), `.${basename(target)}-`)),
  ]);
  try {
    const backend = await startEmbeddedBackend({
      dataDir,
      siteUrl: "http://localhost:3000",
      admin: { email: "nobody@example.com" },
      functions: {},
      log: () => undefined,
    });
    await backend.sql("truncate auth.users cascade");
    await backend.close();
    await copyTree(join(dataDir, "pg"), join(draft, "pg"), () => true);
    await rename(draft, target).catch(() => undefined);
  } finally {
    for (const folder of [dataDir, draft]) await rm(folder, { recursive: true, force: true });
  }
}
