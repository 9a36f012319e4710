const heading = "## [Unreleased]\n";

/**
 * Dates the section Unreleased of a changelog, and puts an empty one above it.
 * @param {string} changelog
 * @param {string} version
 * @param {string} day ISO date
 * @param {string} remark a last paragraph
 * @returns {{ section: string, changelog: string } | null} null if there is no entry under Unreleased
 */
export function cutRelease(changelog, version, day, remark) {
  const entries = findUnreleased(changelog);
  if (!/^- /m.test(entries)) return null;
  const section = `## [${version}] - ${day}\n${entries}${remark}`;
  return { section, changelog: changelog.replace(heading + entries, () => `${heading}\n${section}`) };
}

/**
 * Returns the version of the next release: for the first one that of package.json, then a patch if the section Unreleased
 * has only fixes, else a minor version. A major version is the owner's decision.
 * @param {string} current version in package.json, with or without `-dev`
 * @param {string} changelog
 */
export function nextVersion(current, changelog) {
  const [, last] = /^## \[(\d+\.\d+\.\d+)\]/m.exec(changelog) ?? [];
  if (last === undefined) return current.replace("-dev", "");
  const [major = 0, minor = 0, patch = 0] = last.split(".").map(Number);
  const kinds = [...findUnreleased(changelog).matchAll(/^### (.+)$/gm)].map(([, kind]) => kind);
  const hasOnlyFixes = kinds.every((kind) => kind === "Fixed" || kind === "Security");
  return hasOnlyFixes ? `${major}.${minor}.${patch + 1}` : `${major}.${minor + 1}.0`;
}

/** @param {string} changelog @returns {string} text between the heading Unreleased and the next version's */
function findUnreleased(changelog) {
  const [, after = ""] = changelog.split(heading);
  return after.split(/^(?=## \[)/m)[0] ?? "";
}
