import type { z } from "zod";

/** Ids of rows that do not match their schema; null for a row without an id. */
export type UnreadableIds = (string | null)[];

/**
 * Parses a result without the rows that do not match the schema, so that one odd row does not take its whole list away.
 * A row is an object in an array, at the outermost level.
 * @throws ZodError if anything else does not match
 */
export function parseReadable<Schema extends z.ZodType>(
  schema: Schema,
  data: unknown,
): { data: z.output<Schema>; unreadable: UnreadableIds } {
  const parsed = schema.safeParse(data);
  if (parsed.success) return { data: parsed.data, unreadable: [] };
  const rows = new Set<object>();
  for (const { path } of parsed.error.issues) {
    const row = findRow(data, path);
    if (row === null) throw parsed.error;
    rows.add(row);
  }
  return { data: schema.parse(leaveOut(rows, data)), unreadable: [...rows].map(idOf) };
}

function findRow(data: unknown, path: readonly PropertyKey[]): object | null {
  let value = data;
  for (const key of path) {
    const isElement = Array.isArray(value);
    if (typeof value !== "object" || value === null) return null;
    value = (value as Record<PropertyKey, unknown>)[key];
    if (isElement && typeof value === "object" && value !== null) return value;
  }
  return null;
}

function leaveOut(rows: ReadonlySet<object>, value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.filter((row) => !rows.has(row as object)).map((row) => leaveOut(rows, row));
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, leaveOut(rows, part)]));
}

function idOf(row: object): string | null {
  const id = "id" in row ? row.id : null;
  return typeof id === "string" || typeof id === "number" ? String(id).slice(0, 64) : null;
}
