/**
 * Reads a .dockerignore: patterns are anchored at the top, one star stays within a name, two stand for any folders, `!`
 * takes back what was left out, the last pattern that matches decides, and what holds for a folder holds for all in it.
 * @param {string} text
 * @returns {(path: string) => boolean} whether a file, named from the top with "/", reaches the build
 */
export function readDockerIgnore(text) {
  const rules = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => ({ keeps: line.startsWith("!"), pattern: toPattern(line.replace(/^!/, "")) }));
  return (path) => rules.findLast(({ pattern }) => pattern.test(path))?.keeps ?? true;
}

/** @param {string} glob @returns {RegExp} matches the path and everything below it */
function toPattern(glob) {
  const source = glob
    .replace(/^\/|\/$/g, "")
    .replace(/[.+^$()|{}[\]\\]/g, String.raw`\$&`)
    .replace(/\*\*\/|\*|\?/g, (found) => ({ "**/": "(?:.*/)?", "*": "[^/]*", "?": "[^/]" })[found] ?? found);
  return new RegExp(`^${source}(?:/|$)`);
}
