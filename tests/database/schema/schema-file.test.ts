import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { pgDump } from "@electric-sql/pglite-tools/pg_dump";
import { expect, it } from "vitest";
import { makeSiteFolder } from "../../support/site-folder.ts";

const heading = `-- The present schema, written by pg_dump: \`npm run schema\`. The comments that say why, and the triggers on auth tables, are in
-- supabase/migrations.

`;

it("supabase/schema.sql matches the migrated schema; `npm run schema` updates it", async () => {
  const database = await PGlite.create(join(await makeSiteFolder(), "pg"));
  const args = ["--schema-only", "--no-owner", "--schema=public", "--schema=private"];
  const dump = await (await pgDump({ pg: database, args })).text();
  await database.close();
  // Without pg_dump's own headings, which name its version.
  const schema = dump.replaceAll(/^--.*\n/gm, "").replaceAll(/\n{3,}/g, "\n\n");
  await expect(heading + schema.trimStart()).toMatchFileSnapshot("../../../supabase/schema.sql");
});
