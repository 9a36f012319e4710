// Writes the present schema to supabase/schema.sql, which Git ignores: `npm run schema`. It reads the migrations with
// pg_dump, without a PostgreSQL server. The comments that say why, and the triggers on auth tables, are in
// supabase/migrations.
import "../bin/node-version.mjs";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { pgDump } from "@electric-sql/pglite-tools/pg_dump";
import { ensureSiteTemplate } from "./site-template.mjs";

const folder = await mkdtemp(join(tmpdir(), "schema-"));
try {
  await cp(await ensureSiteTemplate(), folder, { recursive: true });
  const pg = await PGlite.create(join(folder, "pg"));
  const args = ["--schema-only", "--no-owner", "--schema=public", "--schema=private"];
  const dump = await (await pgDump({ pg, args })).text();
  await pg.close();
  // Without pg_dump's own headings, which name its version.
  const schema = dump.replaceAll(/^--.*\n/gm, "").replaceAll(/\n{3,}/g, "\n\n");
  await writeFile("supabase/schema.sql", schema.trimStart());
} finally {
  await rm(folder, { recursive: true });
}
