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
 * Returns the version of the next release: the one in package.json until it has a tag. After that a patch if the section
 * Unreleased has only fixes, else a minor version. A major version is the owner's decision.
 * @param {string} current version in package.json
 * @param {boolean} isTagged true if that one was released
 * @param {string} changelog
 */
export function nextVersion(current, isTagged, changelog) {
  if (!isTagged) return current;
  const [major = 0, minor = 0, patch = 0] = current.split(".").map(Number);
  const kinds = [...findUnreleased(changelog).matchAll(/^### (.+)$/gm)].map(([, kind]) => kind);
  const hasOnlyFixes = kinds.every((kind) => kind === "Fixed" || kind === "Security");
  return hasOnlyFixes ? `${major}.${minor}.${patch + 1}` : `${major}.${minor + 1}.0`;
}

/** @param {string} changelog @returns {string} text between the heading Unreleased and the next version's */
function findUnreleased(changelog) {
  const [, after = ""] = changelog.split(heading);
  return after.split(/^(?=## \[)/m)[0] ?? "";
}
