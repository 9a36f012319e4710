import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";

/** Tests of the built site that belong to folders of sources; the first match decides. */
const routeTests = /** @type {const} */ ([
  ["app/features/consent/", ["tests/routes/consent"]],
  [
    "app/features/auth/",
    ["tests/routes/admin/accounts", "tests/routes/admin/doors.test.ts", "tests/routes/admin/kept-texts.test.ts"],
  ],
  ["app/features/(admin|counts)/|app/routes/admin/", ["tests/routes/admin"]],
  ["app/server/http/health", ["tests/routes/backend/health.test.ts"]],
  ["app/server/http/|app/entry.server|app/server/document/", ["tests/routes/edge", "tests/routes/pages"]],
  ["app/server/(backend|observability|counting)/", ["tests/routes/backend"]],
  ["app/server/(process|commands|config)/|bin/", ["tests/routes/process", "tests/operations"]],
  ["app/routes/pages/|app/content/|app/features/legal/", ["tests/routes/pages"]],
  ["app/", ["tests/routes/forms"]],
]);

/** @param {string} file of the built site @returns {readonly string[]} folders of tests that run its build */
export function findRouteTests(file) {
  return routeTests.find(([pattern]) => new RegExp(`^(?:${pattern})`).test(file))?.[1] ?? [];
}

/**
 * Finds the files of tests/database and tests/functions that name the database object around a change. If none does, it
 * looks for the functions that call the object.
 * @param {string} source of the migration @param {number} start position of the change
 * @returns {string[]} test files and their helpers; empty when no test names any of them
 */
export function findDatabaseTests(source, start) {
  const definition = /^create (?:or replace )?(?:function|table|view|trigger|policy|type) (?:\w+\.)?"?(\w+)/gm;
  let names = [...source.slice(0, start).matchAll(definition)].slice(-1).map(([, name = ""]) => name);
  for (let step = 0; step < 3 && names.length > 0; step++) {
    const tests = names.flatMap((name) => grep(name, ["tests/database", "tests/functions"]));
    if (tests.length > 0) return [...new Set(tests)];
    names = names.flatMap(findCallers);
  }
  return [];
}

/** @returns {string} all migrations */
export function readMigrations() {
  const folder = "supabase/migrations";
  return readdirSync(folder)
    .map((name) => readFileSync(`${folder}/${name}`, "utf8"))
    .join("\n");
}

/** @param {string} name @returns {string[]} functions whose definition contains the name */
function findCallers(name) {
  return readMigrations()
    .split(/^(?=create )/m)
    .filter((part) => new RegExp(`\\b${name}\\b`).test(part))
    .flatMap((part) => /^create (?:or replace )?function (?:\w+\.)?"?(\w+)/.exec(part)?.[1] ?? [])
    .filter((caller) => caller !== name);
}

/** @param {string} word @param {string[]} folders */
function grep(word, folders) {
  try {
    return execFileSync("grep", ["-rlw", "--include=*.ts", word, ...folders], { encoding: "utf8" })
      .trim()
      .split("\n");
  } catch {
    return [];
  }
}
