import semver from "semver";
import { z } from "zod";

/** What is read of an advisory in the OSV format (ossf.github.io/osv-schema, version 1.7). */
export const advisorySchema = z.object({
  id: z.string(),
  modified: z.string(),
  withdrawn: z.string().optional(),
  aliases: z.array(z.string()).default([]),
  summary: z.string().default("no summary"),
  affected: z
    .array(
      z.object({
        package: z.object({ ecosystem: z.string(), name: z.string() }).optional(),
        versions: z.array(z.string()).default([]),
        ranges: z
          .array(
            z.object({
              type: z.string(),
              events: z.array(
                z.object({
                  introduced: z.string().optional(),
                  fixed: z.string().optional(),
                  last_affected: z.string().optional(),
                }),
              ),
            }),
          )
          .default([]),
      }),
    )
    .default([]),
});

/** @typedef {z.output<typeof advisorySchema>} Advisory */
/** @typedef {Advisory["affected"][number]} Affected */

/** What an advisory says about the npm package of this name. @param {Advisory} advisory @param {string} name */
export function partsAbout({ affected }, name) {
  return affected.filter((part) => part.package?.ecosystem === "npm" && part.package.name === name);
}

/** Whether a version has the weakness (osv-schema, "evaluation"). @param {Affected} part @param {string} version */
export function isAffected({ versions, ranges }, version) {
  return (
    versions.includes(version) || ranges.some(({ type, events }) => type === "SEMVER" && isWithin(events, version))
  );
}

/** @typedef {Affected["ranges"][number]["events"][number]} RangeEvent */

/** @param {RangeEvent[]} events @param {string} version */
function isWithin(events, version) {
  let affected = false;
  for (const event of events.toSorted((a, b) => semver.compare(versionOf(a), versionOf(b)))) {
    const order = semver.compare(version, versionOf(event));
    if (event.introduced !== undefined && order >= 0) affected = true;
    if (event.fixed !== undefined && order >= 0) affected = false;
    if (event.last_affected !== undefined && order > 0) affected = false;
  }
  return affected;
}

/** "0" stands for before every version. @param {RangeEvent} event */
function versionOf({ introduced, fixed, last_affected: last }) {
  const version = introduced ?? fixed ?? last ?? "0";
  return version === "0" ? "0.0.0-0" : version;
}

/**
 * @param {Advisory} advisory @param {{ name: string, version: string }} installed
 * @returns {import("./accepted.mjs").Finding}
 */
export function toFinding(advisory, { name, version }) {
  const { id, aliases, summary } = advisory;
  const events = partsAbout(advisory, name).flatMap(({ ranges }) => ranges.flatMap((range) => range.events));
  const fixed = events.flatMap((event) => (event.fixed === undefined ? [] : [event.fixed]));
  return { id, aliases, summary, name, version, fixed: [...new Set(fixed)] };
}
