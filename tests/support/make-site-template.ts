import { mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { copyTree } from "#supabase/embedded/folder/copy-tree.ts";
import { startEmbeddedBackend } from "#supabase/embedded/embedded-backend.ts";
import { hashCheaply, testAdmin } from "./test-admin.ts";

/**
 * Makes a folder with the embedded database of a site that has been set up. Its only account is the test admin's.
 * @param target its path; left alone if another process has created it meanwhile
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
      admin: testAdmin,
      functions: {},
      log: () => undefined,
    });
    const hash = await hashCheaply(testAdmin.password);
    // Without the triggers, which would email the admin about a changed password.
    await backend.sql(`
      set session_replication_role = replica;
      update auth.users set encrypted_password = '${hash}';
      update embedded.applied_passwords set password_hash = '${hash}';
      reset session_replication_role;
    `);
    await backend.close();
    await copyTree(join(dataDir, "pg"), join(draft, "pg"), () => true);
    await rename(draft, target).catch(() => undefined);
  } finally {
    for (const folder of [dataDir, draft]) await rm(folder, { recursive: true, force: true });
  }
}
