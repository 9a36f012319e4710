import { readFile } from "node:fs/promises";

/** The migrations that the baseline replaced, file name to SQL, in their order. */
export async function readMigrationsBeforeBaseline(): Promise<Record<string, string>> {
  const text = await readFile(new URL("./before-baseline.sql", import.meta.url), "utf8");
  const [, ...parts] = text.split(/^-- migration (\d{14}_\w+)\n/m);
  return Object.fromEntries(parts.flatMap((part, i) => (i % 2 === 0 ? [[`${part}.sql`, parts[i + 1] ?? ""]] : [])));
}
