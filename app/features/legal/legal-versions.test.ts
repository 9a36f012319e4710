import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { parse as parseYaml } from "yaml";
import { describe, expect, it } from "vitest";

const folder = "app/content/legal";
/**
 * Every version that was published from 0.1.0 on, under the hash of its file: what `sha256sum` prints. Facts are not filled in.
 * Nobody was shown an older one.
 */
const archive = "app/content/legal-texts";

interface Version {
  version: string;
  lastUpdated: string;
}

const texts = readdirSync(folder).map((file) => ({ file, source: readFileSync(`${folder}/${file}`, "utf8") }));
const archived = readdirSync(archive).map((file) => {
  const source = readFileSync(`${archive}/${file}`, "utf8");
  return { file, source, ...readFrontMatter(source) };
});

it.each(texts)("keeps $file under its hash, so that what it said can be read years later", async ({ source }) => {
  // Writes a missing file, except in CI.
  await expect(source).toMatchFileSnapshot(`../../content/legal-texts/${hash(source)}.md`);
});

it("keeps under each hash what has that hash, byte by byte", () => {
  expect(archived.length).toBeGreaterThanOrEqual(texts.length);
  for (const { file, source } of archived) expect(file).toBe(`${hash(source)}.md`);
});

describe.each(texts)("$file", ({ source }) => {
  const { title, version, lastUpdated, earlier = [] } = readFrontMatter(source);
  const history = [...earlier, { version, lastUpdated }];

  it("has a version and a day of its own for each of its texts: whoever changes it raises both", () => {
    expect(history.map((text) => text.version)).toEqual([...new Set(history.toSorted(byVersion).map(versionOf))]);
    const days = history.map((text) => text.lastUpdated);
    expect(days).toEqual([...new Set(days)].toSorted());
    expect(Date.parse(lastUpdated)).toBeLessThanOrEqual(Date.now());
  });

  it("names every text that is kept of it, once, and is the last of them", () => {
    const kept = archived.filter((text) => text.title === title).toSorted(byVersion);
    const listed = kept.map((text) => ({ version: text.version, lastUpdated: text.lastUpdated }));
    expect(listed).toEqual(history.slice(-kept.length));
    expect(kept.at(-1)?.source).toBe(source);
  });

  it("begins with what the specification calls its first version", () => {
    expect(history[0]).toEqual({ version: "1.0", lastUpdated: "2025-10-24" });
  });
});

function hash(source: string): string {
  return createHash("sha256").update(source).digest("hex");
}

function readFrontMatter(source: string) {
  const [, head = ""] = /^---\n(.*?)\n---\n/s.exec(source) ?? [];
  return parseYaml(head) as Version & { title: string; earlier?: Version[] };
}

function versionOf({ version }: Version): string {
  return version;
}

function byVersion(a: Version, b: Version): number {
  return a.version.localeCompare(b.version, "en", { numeric: true });
}
