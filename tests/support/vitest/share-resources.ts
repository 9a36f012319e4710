import type { TestProject } from "vitest/node";
import { ensureInstalled } from "../../../scripts/ensure-installed.mjs";
import { makeRunFolder, removeRunFolder, runFolder } from "../../../scripts/run-folder.mjs";
import { ensureSiteTemplate } from "../../../scripts/site-template.mjs";
import { offerPostgres } from "../../database/support/postgres/shared-postgres.ts";

/** Sets up the shared resources of a test run; returns their teardown. */
export default async function shareResources(project: TestProject): Promise<() => Promise<void>> {
  await ensureInstalled("tests");
  await ensureSiteTemplate();
  await makeRunFolder();
  const [newer, older] = await Promise.all([offerPostgres(runFolder, "18"), offerPostgres(runFolder, "17")]);
  project.provide("postgresOffers", { "18": newer.path, "17": older.path });
  return async () => {
    await Promise.all([newer.stop(), older.stop()]);
    await removeRunFolder();
  };
}
