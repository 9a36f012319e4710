import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** Files by name, each with what changes whenever the file does. */
export type Marks = ReadonlyMap<string, string>;

/** Lists the files of a folder that may not exist, and when the newest changed. @throws an error with a `code` */
export function listMarks(folder: string, inner: readonly string[]): { marks: Marks; newestMs: number } {
  let newestMs = 0;
  const names = [
    ...listNames(folder),
    ...inner.flatMap((each) => listNames(join(folder, each)).map((name) => `${each}/${name}`)),
  ];
  const marks = new Map(
    names.map((name) => {
      const { mtimeMs, size, ino } = lstatSync(join(folder, name));
      newestMs = Math.max(newestMs, mtimeMs);
      return [name, `${mtimeMs} ${size} ${ino}`];
    }),
  );
  return { marks, newestMs };
}

/** Lists the names in a folder in their order; none if there is no such folder. @throws an error with a `code` */
export function listNames(folder: string): string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return [];
    throw error;
  }
}
