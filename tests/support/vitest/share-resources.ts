import { chmod, mkdir, rm } from "node:fs/promises";
import type { TestProject } from "vitest/node";
import { ensureInstalled } from "../../../scripts/ensure-installed.mjs";
import { ensureSiteTemplate } from "../../../scripts/site-template.mjs";
import { offerPostgres } from "../../database/support/postgres/shared-postgres.ts";
import { removeDeadRunFolders, runFolder } from "./run-folder.ts";

/** Sets up, once a run, what its test files share; returns what takes it down. */
export default async function shareResources(project: TestProject): Promise<() => Promise<void>> {
  await ensureInstalled("tests");
  await ensureSiteTemplate();
  removeDeadRunFolders();
  await rm(runFolder, { recursive: true, force: true });
  await mkdir(runFolder);
  // PostgreSQL may run as another user, whose folder lies in this one.
  await chmod(runFolder, 0o711);
  const postgres = await offerPostgres(runFolder);
  project.provide("postgresOffer", postgres.path);
  return async () => {
    await postgres.stop();
    await rm(runFolder, { recursive: true, force: true });
  };
}
