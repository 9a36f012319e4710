import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";

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
  ["app/routes/files/|app/root|app/ui/", ["tests/routes/pages"]],
  ["app/server/own-texts/|app/features/insights/|app/routes/insights/", ["tests/routes/pages/own-texts.test.ts"]],
  ["app/", ["tests/routes/forms"]],
]);

/**
 * Finds the tests that run a file in the built site: those that name the address of a route which imports it, and those
 * that belong to its folder.
 * @param {string} file of the built site @returns {readonly string[]} files and folders of tests
 */
export function findRouteTests(file) {
  const addresses = listAddresses(file);
  const wanted = `["\`}](?:${addresses.join("|")})(?=[?#/"\`$])`;
  const byAddress = addresses.length === 0 || addresses.length > mostRoutes ? [] : rank(wanted);
  const folders = routeTests.find(([pattern]) => new RegExp(`^(?:${pattern})`).test(file))?.[1] ?? [];
  return [...new Set([...byAddress, ...folders])];
}

/** A file of more routes belongs to no page. */
const mostRoutes = 6;
const mostTests = 6;

/** Finds the tests that match most often. @param {string} pattern @returns {string[]} */
function rank(pattern) {
  const words = ["-rcP", "--include=*.test.ts", pattern, "tests/routes", "tests/operations"];
  const { stdout: found } = spawnSync("grep", words, { encoding: "utf8" });
  const counts = [...found.matchAll(/^(.+):(\d+)$/gm)].map(([, file = "", count]) => ({ file, count: Number(count) }));
  const ranked = counts.filter(({ count }) => count > 0).toSorted((a, b) => b.count - a.count);
  return ranked.slice(0, mostTests).map(({ file }) => file);
}

/** Lists the fixed part of the address of each route that imports a file. @param {string} file */
function listAddresses(file) {
  const routes = [...readFileSync("app/routes.ts", "utf8").matchAll(/^  "?([^":]*[^":/])\/?(?::[^"]*)?"?: "(.+)",$/gm)];
  const reached = new Set([file]);
  const queue = [file];
  for (let at = queue.pop(); at !== undefined; at = queue.pop())
    for (const importer of findImporters(at).filter((each) => !reached.has(each))) {
      queue.push(importer);
      reached.add(importer);
    }
  return routes.filter(([, , module]) => reached.has(`app/routes/${module}`)).map(([, address]) => `/${address}`);
}

/** @type {Map<string, string[]> | undefined} */
let importers;

/** Lists the modules of the app that import a file. @param {string} file @returns {string[]} */
function findImporters(file) {
  if (importers === undefined) {
    importers = new Map();
    const sources = execFileSync("git", ["ls-files", "app", "supabase/functions/_shared"], { encoding: "utf8" });
    for (const source of sources.split("\n").filter((name) => /(?<!\.test)\.tsx?$/.test(name)))
      for (const [, at = ""] of readFileSync(source, "utf8").matchAll(/ from "((?:~|#supabase|\.\.?)\/[^"]+)"/g)) {
        const base = at.replace(/^~/, "app").replace(/^#supabase/, "supabase");
        const path = (base.startsWith(".") ? join(dirname(source), base) : base).replace(/\.tsx?$/, "");
        importers.set(path, [...(importers.get(path) ?? []), source]);
      }
  }
  return importers.get(file.replace(/\.tsx?$/, "")) ?? [];
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
