import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { testsFile } from "./copy.mjs";

/**
 * The record of `npm run coverage`: its commit, milliseconds that each test file takes, and the test files that run a place,
 * `file:line`.
 * @typedef {{ commit: string, durations: Record<string, number>, places: Record<string, string[]> }} TestRecord
 */

/** @type {TestRecord | undefined} */
let record;

/** @returns {TestRecord} */
const readRecord = () => (record ??= JSON.parse(readFileSync(testsFile, "utf8")));

/** @returns {string[]} product files that changed since the record, whose lines it may know by other numbers */
export function listNewerFiles() {
  const words = ["diff", "--name-only", readRecord().commit, "--", "app", "bin", "supabase"];
  return execFileSync("git", words, { encoding: "utf8" }).split("\n").filter(Boolean);
}

/**
 * Finds the test files that ran a place, except those that take more than a minute. The owners come first: tests that run
 * little besides the file.
 * @param {string} place `file:line` @returns {string[]}
 */
export function findTests(place) {
  const { durations, places } = readRecord();
  const [file = "", line = ""] = place.split(":");
  // A compiled line can stand for its neighbors, and a browser keeps no record of the last lines before it leaves a page.
  const near = [0, -1, 1, -2, 2, -3, 3, -4, 4].map((step) => places[`${file}:${Number(line) + step}`]);
  /** @type {Record<string, { all: number, here: number }>} */
  const lines = {};
  for (const [each, tests] of Object.entries(places))
    for (const test of tests) {
      const counted = (lines[test] ??= { all: 0, here: 0 });
      counted.all++;
      if (each.startsWith(`${file}:`)) counted.here++;
    }
  const share = (/** @type {string} */ test) => (lines[test] ? lines[test].here / lines[test].all : 0);
  return (near.find((tests) => tests !== undefined) ?? [])
    .filter((test) => (durations[test] ?? 0) < 60_000)
    .toSorted((one, other) => share(other) - share(one));
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
