import type { TestBackend } from "./test-backend.ts";

/** Result of `keep_retention` when nothing was due for deletion. */
export const nothingDeleted = {
  submissions: 0,
  requests: 0,
  members: 0,
  wishes: 0,
  records: 0,
  mails: 0,
  account_events: 0,
  letters: 0,
  receipts: 0,
  day_counts: 0,
  links: 0,
  sender_addresses: 0,
  consents: 0,
  consent_decisions: 0,
};

/** Returns an SQL expression for the time this long ago. */
export function ago(interval: string): string {
  return `now() - interval '${interval}'`;
}

/**
 * Runs retention as the site does.
 * @returns the number of deleted rows by kind
 */
export async function keepRetention({ service }: TestBackend): Promise<Record<string, number>> {
  const { data } = await service.rpc("keep_retention", { source: "server" }).throwOnError();
  return data as Record<string, number>;
}

/**
 * Updates rows as the passing of time would.
 * @throws when no row matches
 */
export async function setRows(
  { sql }: TestBackend,
  table: string,
  id: string,
  assignments: string,
  column = "id",
): Promise<void> {
  const rows = await sql(`update ${table} set ${assignments} where ${column} = $1 returning 1 as ok`, [id]);
  if (rows.length === 0) throw new Error(`${table} has no row for which ${column} is ${id}`);
}

/** Counts the rows of a table with this id. */
export async function countRows({ sql }: TestBackend, table: string, id: string, column = "id"): Promise<number> {
  const [row] = await sql<{ n: number }>(`select count(*)::int as n from ${table} where ${column} = $1`, [id]);
  return row?.n ?? 0;
}

/** Returns a row of a table, or undefined. */
export async function readRow({ sql }: TestBackend, table: string, id: string, column = "id") {
  const query = `select to_jsonb(stored) as stored from ${table} as stored where ${column} = $1`;
  return (await sql<{ stored: Record<string, unknown> }>(query, [id]))[0]?.stored;
}
