import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

/** The program, without tests and pages' markup. */
const source = ["app", "supabase"].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.ts$|\.d\.ts$/.test(file))
    .map((file) => readFileSync(join(folder, file), "utf8")),
);

/**
 * Names of events as in `event: "disk.low"`, or `failure:` of a function call; `*` stands for an inserted value. Events
 * of other kinds (`on("message")`) have types and parameters, so they do not match.
 */
const logged = new Set(
  source.flatMap((text) =>
    [...text.matchAll(/\b(?:event|failure): ["`]([a-z$][\w.${}-]+)["`](?=[ ,}\n])(?!, listener)/g)].map(
      ([, name = ""]) => name.replaceAll(/\$\{[^}]*\}/g, "*"),
    ),
  ),
);

/** Names in the documentation of the log. */
const operations = readFileSync("docs/operations/monitoring.md", "utf8");
const log = operations.slice(operations.indexOf("\n## The log\n"));
const rows = log.split("\n").flatMap((line) => (line.startsWith("| `") ? [line.split("|")[1] ?? ""] : []));
const list = log.slice(log.indexOf("\nEvents without a row:\n"));
const namesIn = (text: string) => [...text.matchAll(/`([a-z][\w-]*[.-][\w.-]+)`/g)].map(([, name = ""]) => name);
const documented = new Set([...rows, list].flatMap(namesIn));

const patternOf = (name: string) =>
  new RegExp(`^${name.replaceAll(".", String.raw`\.`).replaceAll("*", String.raw`[\w-]+`)}$`);

it("has its events documented", () => {
  expect(logged.size).toBeGreaterThan(90);
  const missing = [...logged].filter(
    (name) =>
      name !== "request" && !name.startsWith("setup.") && ![...documented].some((one) => patternOf(name).test(one)),
  );
  expect(missing).toEqual([]);
});

it("documents no event that the program does not log", () => {
  const all = source.join("\n");
  const templates = [...logged].filter((name) => name.includes("*")).map(patternOf);
  const commands = new Set(["deliver-outbox", "sign-out-all"]);
  const stale = [...documented].filter(
    (name) => !commands.has(name) && !all.includes(`"${name}"`) && !templates.some((pattern) => pattern.test(name)),
  );
  expect(stale).toEqual([]);
});
