// Finds modules with state: a top-level variable that can be reassigned, or a top-level object, array, Map, Set or
// WeakMap that a function writes to. All state belongs to the site object (docs/ARCHITECTURE.md), so that two sites with
// different settings can run in one process. One module may have state, for stock remix-serve.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

const mayHoldOne = "app/server/default-site.server.ts";
const writers = "set|add|delete|clear|push|pop|shift|unshift|splice|sort|reverse|fill";
const assigns = String.raw`(?:[-+*/|&?]*=(?![=>])|\+\+|--)`;

const files = ["app", "supabase/embedded"].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => /(?<!\.test)\.tsx?$/.test(file))
    .map((file) => join(folder, file).replaceAll("\\", "/")),
);
const findings = files.filter((file) => file !== mayHoldOne).flatMap(findState);
for (const finding of findings) console.error(finding);
if (findings.length > 0) process.exit(1);

/** @param {string} file @returns {string[]} */
function findState(file) {
  const source = readFileSync(file, "utf8");
  return [...source.matchAll(/^(?:export )?(const|let|var) (\w+)/gm)].flatMap(([, kind, name = ""]) => {
    if (kind !== "const") return [`${file} the module-level "${name}" can be reassigned`];
    // In a function, so the line is indented or has an arrow. Formatted code has no other spaces around a dot.
    const write = String.raw`\b(?:${name}\.(?:${writers})\(|${name}[.[][\w.[\]"]* ?${assigns}|delete ${name}[.[])`;
    const found = new RegExp(String.raw`^(?: (?! *(?:\*|//))|.*=> ).*(?<![.\w])${write}`, "m").exec(source);
    return found ? [`${file} writes to the module-level "${name}": ${found[0].trim()}`] : [];
  });
}
