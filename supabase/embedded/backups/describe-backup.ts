import type { Manifest } from "./manifest.ts";

/** Describes a backup in one line. */
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

/** Warns about unencrypted backups among encrypted ones. Returns no line when there are none. */
export function warnUnencrypted(names: readonly string[]): string[] {
  if (names.length === 0) return [];
  return [
    `Not encrypted, although others are: ${names.join(", ")}. They are older than BACKUP_RECIPIENT, or did not come from this ` +
      "server. Delete those that you do not need.",
  ];
}

/** Warning for a backup whose signature was not checked. */
export const unprovenOrigin = "Its origin is unproven: no signature was checked.";
