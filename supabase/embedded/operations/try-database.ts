import { join } from "node:path";
import { copyTree } from "../folder/copy-tree.ts";
import { makeSnapshotFolder, removeSnapshotFolder } from "../folder/snapshot.ts";
import { requireOwnSchema } from "../backups/upgrade-backup.ts";
import { requireOwnDatabase } from "../folder/usable-folder.ts";
import { productMigrations, readSchemaState, type SchemaState } from "../migrations.ts";
import { withDatabase } from "./read-database.ts";

/**
 * Finds out if a start could use the database of a stopped site. Opening changes files, so it opens a copy in the data
 * folder, which the next start removes if this process is killed.
 * @throws DataFolderUnusable or MigrationFailed, as the start does
 */
export async function tryDatabase(dataDir: string): Promise<SchemaState> {
  const files = join(dataDir, "pg");
  requireOwnDatabase(files);
  const folder = await makeSnapshotFolder(dataDir);
  try {
    await copyTree(files, join(folder, "pg"), () => true);
    const schema = await withDatabase(
      join(folder, "pg"),
      (database) => readSchemaState(database, productMigrations),
      files,
    );
    await requireOwnSchema(dataDir, schema);
    return schema;
  } finally {
    await removeSnapshotFolder(folder);
  }
}
