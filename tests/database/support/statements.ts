/** Replaces `$1`, `$2`… by quoted parameters. */
export function fillIn(query: string, parameters: unknown[] = []): string {
  return query.replaceAll(/\$(\d+)/g, (_, index) => quote(parameters[Number(index) - 1]));
}

function quote(value: unknown): string {
  if (value === null || value === undefined) return "null";
  return `'${(typeof value === "object" ? JSON.stringify(value) : String(value)).replaceAll("'", "''")}'`;
}
