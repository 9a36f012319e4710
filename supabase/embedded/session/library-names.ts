import { PGlite } from "@electric-sql/pglite";
import { App } from "@supabase/lite";
import { PgliteConnection } from "@supabase/lite/pglite";
import { type Library, LibraryChanged } from "./library-changed.ts";

/** By the object that has them, as an error names it. */
const names: [Library, string, object, string[]][] = [
  [
    "@supabase/lite",
    "PgliteConnection.prototype",
    PgliteConnection.prototype,
    [
      // Access control hangs on the first: as shipped it grants everything to strangers.
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
 * Checks that everything is there that this program replaces in its libraries: nothing else would tell of a release that has
 * renamed it.
 * @throws LibraryChanged
 */
export function requireLibraryNames(): void {
  for (const [library, owner, object, members] of names)
    for (const name of members) if (!(name in object)) throw new LibraryChanged(library, `${owner}.${name}`);
}

/** Methods of lite's connection that each request of a function calls, and that are replaced here. */
const usedByRequest = ["withContext", "ensureRlsContext", "applyJwtSessionContext", "applyRpcRequestGucs"] as const;

/** One of these methods. */
export type LibraryUse = (typeof usedByRequest)[number];

/**
 * Checks that lite has called what is replaced here: a release may keep a name and no longer use it.
 * @param used since the connection was made, a request of a function among it
 * @throws LibraryChanged
 */
export function requireLibraryUse(used: ReadonlySet<LibraryUse>): void {
  for (const name of usedByRequest)
    if (!used.has(name)) throw new LibraryChanged("@supabase/lite", `call of "${name}" where one is due`);
}
