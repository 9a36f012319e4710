import { createReadStream } from "node:fs";
import { readFile, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { Unzip, UnzipInflate, strFromU8 } from "fflate";
import { advisorySchema, isAffected, partsAbout, toFinding } from "./advisory.mjs";

const maxAgeDays = 7;

/**
 * Looks every package up in a copy of OSV's npm advisories: its `all.zip`, or a folder that it was unpacked into.
 * @param {string} path
 * @param {import("./bill.mjs").BillPackage[]} packages
 * @returns {Promise<import("./accepted.mjs").Finding[]>}
 * @throws when there is nothing in it, or nothing of the last week: then it says little about today
 */
export async function searchDatabase(path, packages) {
  /** @type {import("./accepted.mjs").Finding[]} */
  const findings = [];
  /** @type {Map<string, import("./bill.mjs").BillPackage[]>} */
  const byName = new Map();
  for (const one of packages) byName.set(one.name, [...(byName.get(one.name) ?? []), one]);
  let newest = "";
  for await (const text of (await stat(path)).isDirectory() ? readFolder(path) : readZip(path)) {
    const advisory = advisorySchema.parse(JSON.parse(text));
    if (advisory.modified > newest) newest = advisory.modified;
    if (advisory.withdrawn) continue;
    for (const name of new Set(advisory.affected.map((part) => part.package?.name ?? ""))) {
      const hits = (byName.get(name) ?? []).filter(({ version }) =>
        partsAbout(advisory, name).some((part) => isAffected(part, version)),
      );
      findings.push(...hits.map((installed) => toFinding(advisory, installed)));
    }
  }
  if (newest === "") throw new Error(`${path} holds no advisories.`);
  if (Date.now() - Date.parse(newest) > maxAgeDays * 24 * 3600 * 1000)
    throw new Error(`${path} ends on ${newest.slice(0, 10)}: take a copy of this week.`);
  return findings;
}

/** @param {string} folder @returns {AsyncGenerator<string>} */
async function* readFolder(folder) {
  for (const name of await readdir(folder)) if (name.endsWith(".json")) yield readFile(join(folder, name), "utf8");
}

/** Piece by piece: OSV's zip is far larger than a process should hold. @param {string} file @returns {AsyncGenerator<string>} */
async function* readZip(file) {
  /** @type {string[]} */
  const complete = [];
  const unzip = new Unzip((entry) => {
    if (!entry.name.endsWith(".json")) return;
    /** @type {Uint8Array[]} */
    const pieces = [];
    entry.ondata = (error, piece, isLast) => {
      if (error) throw error;
      pieces.push(piece);
      if (isLast) complete.push(strFromU8(Buffer.concat(pieces)));
    };
    entry.start();
  });
  unzip.register(UnzipInflate);
  for await (const piece of createReadStream(file)) {
    unzip.push(piece);
    yield* complete.splice(0);
  }
  unzip.push(new Uint8Array(0), true);
  yield* complete.splice(0);
}
