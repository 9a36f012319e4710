import { PGlite } from "@electric-sql/pglite";
import { App } from "@supabase/lite";
import { PgliteConnection } from "@supabase/lite/pglite";
import { type Library, LibraryChanged } from "./library-changed.ts";

/** Library, object as an error names it, the object, and the members that this program replaces or uses. */
const names: [Library, string, object, string[]][] = [
  [
    "@supabase/lite",
    "PgliteConnection.prototype",
    PgliteConnection.prototype,
    [
      // Access control depends on the first: lite's own method grants everything to anonymous visitors.
      "ensureRlsContext",
      "applyJwtSessionContext",
      "applyRpcRequestGucs",
      "withContext",
      "normalizeDbError",
      "exec",
      "clearSchemaCache",
    ],
  ],
  ["@supabase/lite", "App.prototype", App.prototype, ["ensureSystemSchema"]],
  ["@electric-sql/pglite", "PGlite.prototype", PGlite.prototype, ["execProtocolRawSync", "execProtocolStream"]],
];

/**
 * Checks that the libraries have every member that this program replaces. Nothing else would detect a release that
 * renames one.
 * @throws LibraryChanged
 */
export function requireLibraryNames(): void {
  for (const [library, owner, object, members] of names)
    for (const name of members) if (!(name in object)) throw new LibraryChanged(library, `${owner}.${name}`);
}

/** Replaced methods of lite's connection that every function call must use. */
const usedByRequest = ["withContext", "ensureRlsContext", "applyJwtSessionContext", "applyRpcRequestGucs"] as const;

/** Name of one of these methods. */
export type LibraryUse = (typeof usedByRequest)[number];

/**
 * Checks that lite calls the replaced methods: a release may keep a name and no longer use it.
 * @param used methods called since the connection opened; at least one function call must have run
 * @throws LibraryChanged
 */
export function requireLibraryUse(used: ReadonlySet<LibraryUse>): void {
  for (const name of usedByRequest)
    if (!used.has(name)) throw new LibraryChanged("@supabase/lite", `call of "${name}" where one is due`);
}
