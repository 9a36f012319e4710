import type { Manifest } from "./manifest.ts";

/** Says what a backup is. */
export function describeBackup({ madeAt, productVersion, migrations, tables, files }: Manifest): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const parts = [
    `made ${madeAt} by version ${productVersion}`,
    `${migrations.length} migrations`,
    `${rows} rows in ${tables.length} tables`,
    `${files.length} files`,
  ];
  return parts.join(", ");
}

/** Names backups in plain where there should be none; no line where there are none. */
export function tellUnencrypted(names: readonly string[]): string[] {
  if (names.length === 0) return [];
  return [
    `Not encrypted, beside encrypted ones: ${names.join(", ")}. They are older than BACKUP_RECIPIENT, or somebody else put them ` +
      "there: delete those that you do not need.",
  ];
}

/** Said of a backup that no signature proves. */
export const unproved = "Nothing proves who made it: no signature was checked.";
