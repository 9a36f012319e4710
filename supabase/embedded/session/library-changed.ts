import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

/**
 * Thrown when a library lacks something that this program replaces or relies on. The message names package, version and
 * member.
 */
export class LibraryChanged extends Error {
  override readonly name = "LibraryChanged";

  constructor(library: Library, missing: string) {
    super(
      `${library} ${readVersion(library)} has no ${missing}, which this site replaces. Access control and durability depend on ` +
        "it. Install the packages that package-lock.json names (npm ci).",
    );
  }
}

/** A library of which this program replaces parts. */
export type Library = "@supabase/lite" | "@electric-sql/pglite";

/**
 * Reads the installed version, which may differ from the one in this program's package.json. Does not resolve the
 * library's package.json, because lite does not export it.
 */
function readVersion(library: Library): string {
  const folders = createRequire(import.meta.url).resolve.paths(library) ?? [];
  const file = folders.map((folder) => join(folder, library, "package.json")).find((path) => existsSync(path));
  if (file === undefined) return "(unknown version)";
  return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
}
