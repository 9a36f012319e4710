import { z } from "zod";
import { advisorySchema, toFinding } from "./advisory.mjs";

/** @typedef {import("./bill.mjs").BillPackage} BillPackage */

/** OSV takes no more in one question (google.github.io/osv.dev/post-v1-querybatch). */
const maxPerQuestion = 1000;
const maxPages = 100;
const maxAtOnce = 8;
const timeoutMs = 20_000;

const batchSchema = z.object({
  results: z.array(
    z.object({ vulns: z.array(z.object({ id: z.string() })).default([]), next_page_token: z.string().optional() }),
  ),
});

/**
 * Asks OSV's service about every package.
 * @param {string} url e.g. `https://api.osv.dev`
 * @param {BillPackage[]} packages
 * @returns {Promise<import("./accepted.mjs").Finding[]>}
 * @throws when any question is without an answer that makes sense
 */
export async function askOsv(url, packages) {
  /** @type {{ installed: BillPackage, id: string }[]} */
  const hits = [];
  /** @type {{ installed: BillPackage, page: string | undefined }[]} */
  let questions = packages.map((installed) => ({ installed, page: undefined }));
  for (let page = 0; questions.length > 0; page++) {
    if (page === maxPages) throw new Error(`${url} never came to an end.`);
    const asked = questions.splice(0, maxPerQuestion);
    const queries = asked.map(({ installed: { purl }, page: token }) => ({ package: { purl }, page_token: token }));
    const { results } = batchSchema.parse(await ask(`${url}/v1/querybatch`, { queries }));
    if (results.length !== asked.length) throw new Error(`${url} left questions without an answer.`);
    for (const [index, { vulns, next_page_token: next }] of results.entries()) {
      const question = asked[index];
      if (!question) continue;
      for (const { id } of vulns) hits.push({ installed: question.installed, id });
      if (next) questions.push({ installed: question.installed, page: next });
    }
  }
  const advisories = await readAll(url, [...new Set(hits.map(({ id }) => id))]);
  return hits.flatMap(({ installed, id }) => {
    const advisory = advisories.get(id);
    return advisory && !advisory.withdrawn ? [toFinding(advisory, installed)] : [];
  });
}

/** @param {string} url @param {string[]} ids */
async function readAll(url, ids) {
  /** @type {Map<string, import("./advisory.mjs").Advisory>} */
  const advisories = new Map();
  const left = [...ids];
  const work = async () => {
    for (let id = left.pop(); id !== undefined; id = left.pop())
      advisories.set(id, advisorySchema.parse(await ask(`${url}/v1/vulns/${encodeURIComponent(id)}`)));
  };
  await Promise.all(Array.from({ length: maxAtOnce }, work));
  return advisories;
}

/** @param {string} address @param {object} [question] @returns {Promise<unknown>} */
async function ask(address, question) {
  const init = question && {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(question),
  };
  const answer = await fetch(address, { ...init, signal: AbortSignal.timeout(timeoutMs) }).catch(() => null);
  if (answer === null)
    throw new Error(`${address} does not answer. Elsewhere, or with --database, it can be looked up.`);
  if (!answer.ok) throw new Error(`${address} answered ${answer.status}.`);
  return answer.json().catch(() => {
    throw new Error(`${address} answered something else than JSON.`);
  });
}
