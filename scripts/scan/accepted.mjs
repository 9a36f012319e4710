import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { z } from "zod";

/**
 * An advisory about a package that is installed; `fixed` are versions without it.
 * @typedef {{ id: string, aliases: string[], name: string, version: string, summary: string, fixed: string[] }} Finding
 */
/** @typedef {z.output<typeof acceptedSchema>[number]} Accepted */

const acceptedSchema = z.array(
  z.strictObject({
    /** its own, or another that it is known by */
    id: z.string().min(1),
    package: z.string().min(1),
    /** why it does no harm here, for the next review */
    reason: z.string().min(20),
    /** the last day, in UTC */
    until: z.iso.date(),
  }),
);

/**
 * Reads the advisories that have been reviewed and accepted.
 * @param {string} file
 * @returns {Accepted[]}
 * @throws when one lacks its reason or its end
 */
export function readAccepted(file) {
  return acceptedSchema.parse(parse(readFileSync(file, "utf8")) ?? []);
}

/**
 * Separates accepted findings from the others. An expired exception does not count, and is reported even where its
 * advisory is gone: then it should be removed.
 * @param {Finding[]} findings @param {Accepted[]} accepted @param {string} today an ISO date in UTC
 */
export function sortOut(findings, accepted, today) {
  const valid = accepted.filter(({ until }) => until >= today);
  /** @type {{ finding: Finding, until: string }[]} */
  const tolerated = [];
  /** @type {Finding[]} */
  const open = [];
  for (const finding of findings) {
    const names = [finding.id, ...finding.aliases];
    const exception = valid.find(({ id, package: name }) => name === finding.name && names.includes(id));
    if (exception) tolerated.push({ finding, until: exception.until });
    else open.push(finding);
  }
  return { open, tolerated, expired: accepted.filter(({ until }) => until < today) };
}
