import type { PGlite } from "@electric-sql/pglite";

/** text, bpchar and varchar. PGlite's own serializer sends an object as "[object Object]". */
const textTypes = ["25", "1042", "1043"];

/**
 * Makes PGlite send any JSON value as text, which PostgreSQL reads or rejects as it does for PostgREST. PGlite's own
 * serializers throw for a value of another type. Those of arrays return a number as it is, which PGlite cannot send:
 * that leaves half a message in its buffer, and every later statement fails.
 */
export function acceptAnyParameter({ serializers }: PGlite): void {
  for (const [oid, serialize] of Object.entries(serializers))
    serializers[oid] = (value) => toText(value, textTypes.includes(oid) ? null : serialize);
}

function toText(value: unknown, serialize: ((value: unknown) => unknown) | null): string {
  const text = attempt(() => serialize?.(value));
  if (typeof text === "string") return text;
  return typeof value === "string" ? value : JSON.stringify(value);
}

function attempt(serialize: () => unknown): unknown {
  try {
    return serialize();
  } catch {
    return undefined;
  }
}
