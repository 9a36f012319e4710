import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { parse as parseYaml } from "yaml";
import { describe, expect, it } from "vitest";

const folder = "app/content/legal";
/** Every version that was published, under the hash of its file: what `sha256sum` prints. Facts are not filled in. */
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
  const published = archived.filter((text) => text.title === title).toSorted(byVersion);

  it("has a version and a day of its own for each of its texts: whoever changes it raises both", () => {
    const versions = published.map((text) => text.version);
    expect(versions).toEqual([...new Set(versions)]);
    const days = published.map((text) => text.lastUpdated);
    expect(days).toEqual([...new Set(days)].toSorted());
    expect(published.at(-1)?.source).toBe(source);
  });

  it("lists its earlier versions, and was not last changed in the future", () => {
    const before = published.slice(0, -1).map((text) => ({ version: text.version, lastUpdated: text.lastUpdated }));
    expect(earlier).toEqual(before);
    expect({ version, lastUpdated }).toEqual({
      version: published.at(-1)?.version,
      lastUpdated: published.at(-1)?.lastUpdated,
    });
    expect(Date.parse(lastUpdated)).toBeLessThanOrEqual(Date.now());
  });

  it("begins with what the specification calls its first version", () => {
    expect(published[0]).toMatchObject({ version: "1.0", lastUpdated: "2025-10-24" });
  });
});

function hash(source: string): string {
  return createHash("sha256").update(source).digest("hex");
}

function readFrontMatter(source: string) {
  const [, head = ""] = /^---\n(.*?)\n---\n/s.exec(source) ?? [];
  return parseYaml(head) as Version & { title: string; earlier?: Version[] };
}

function byVersion(a: Version, b: Version): number {
  return a.version.localeCompare(b.version, "en", { numeric: true });
}
