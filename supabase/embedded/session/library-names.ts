import { PGlite, protocol } from "@electric-sql/pglite";
import { file_fdw } from "@electric-sql/pglite/contrib/file_fdw";
import { isn } from "@electric-sql/pglite/contrib/isn";
import { ltree } from "@electric-sql/pglite/contrib/ltree";
import { pgcrypto } from "@electric-sql/pglite/contrib/pgcrypto";
import { App } from "@supabase/lite";
import { PgliteConnection } from "@supabase/lite/pglite";
import { type Library, LibraryChanged } from "./library-changed.ts";

/** Extensions that lite always brings, and nothing here uses. */
export const unusedExtensions = { file_fdw, isn, ltree, pgcrypto };

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
  [
    "@electric-sql/pglite",
    "PGlite.prototype",
    PGlite.prototype,
    ["query", "exec", "transaction", "runExclusive", "execProtocolRawSync", "execProtocolStream", "ready"],
  ],
  ["@electric-sql/pglite", "protocol.serialize", protocol.serialize, ["parse", "bind", "describe", "execute", "sync"]],
  [
    "@electric-sql/pglite",
    "protocol.messages",
    protocol.messages,
    ["CommandCompleteMessage", "DataRowMessage", "ParameterDescriptionMessage", "RowDescriptionMessage"],
  ],
  ...Object.entries(unusedExtensions).map(([name, extension]): [Library, string, object, string[]] => [
    "@electric-sql/pglite",
    name,
    extension,
    ["setup"],
  ]),
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

/** Asked for by lite when it reads the catalog. */
export const timeZonesText = "SELECT name FROM pg_catalog.pg_timezone_names";

/** What is replaced, by the names or statements of its callers. "array types": see `asksForArrayTypes`. */
export type LibraryUse =
  (typeof usesOfRequest)[number]["name"] | (typeof usesOfOpening)[number]["name"] | typeof timeZonesText;

const usesOfOpening = [{ library: "@electric-sql/pglite", name: "array types" }] as const;

const usesOfRequest = [
  { library: "@supabase/lite", name: "withContext" },
  { library: "@supabase/lite", name: "ensureRlsContext" },
  { library: "@supabase/lite", name: "applyJwtSessionContext" },
  { library: "@supabase/lite", name: "applyRpcRequestGucs" },
  { library: "@supabase/lite", name: "BEGIN" },
  { library: "@supabase/lite", name: "SET LOCAL transaction_read_only = on" },
  { library: "@supabase/lite", name: "COMMIT" },
] as const;

/**
 * Checks that the libraries have called and sent what is replaced here: a release may keep a name and no longer use it.
 * @param used by opening the database, and by what `after` says has also been done since
 * @throws LibraryChanged
 */
export function requireLibraryUse(
  used: ReadonlySet<LibraryUse>,
  after: { requestOfFunction: boolean },
): void {
  const expected: readonly { library: Library; name: LibraryUse }[] = [
    ...usesOfOpening,
    { library: "@supabase/lite", name: timeZonesText },
    ...(after.requestOfFunction ? usesOfRequest : []),
  ];
  for (const { library, name } of expected)
    if (!used.has(name)) throw new LibraryChanged(library, `call of "${name}" where one is due`);
}
