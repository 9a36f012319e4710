import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

/** A library lacks something that this program replaces or relies on. The message says which package, version and name. */
export class LibraryChanged extends Error {
  override readonly name = "LibraryChanged";

  constructor(library: Library, missing: string) {
    super(
      `${library} ${readVersion(library)} has no ${missing}, which this site replaces: access control and durability depend on ` +
        "it. Install the packages that package-lock.json names (npm ci).",
    );
  }
}

/** One of the libraries of which parts are replaced. */
export type Library = "@supabase/lite" | "@electric-sql/pglite";

/**
 * Reads the version that is installed, which need not be the one that package.json asks for. Not by resolving the package's
 * package.json: lite does not export it.
 */
function readVersion(library: Library): string {
  const folders = createRequire(import.meta.url).resolve.paths(library) ?? [];
  const file = folders.map((folder) => join(folder, library, "package.json")).find((path) => existsSync(path));
  if (file === undefined) return "(unknown version)";
  return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
}
