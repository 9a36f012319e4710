import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { parse as parseYaml } from "yaml";
import { describe, expect, it } from "vitest";

const folder = "app/content/legal";
/**
 * Every version published since release 0.1.0, named by the `sha256sum` of its file. Facts are not filled in. Older
 * versions were never shown to visitors.
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

it.each(texts)("archives $file under its hash", async ({ source }) => {
  // Writes a missing file, except in CI.
  await expect(source).toMatchFileSnapshot(`../../content/legal-texts/${hash(source)}.md`);
});

it("archives each text under the hash of its bytes", () => {
  for (const { file, source } of archived) expect(file).toBe(`${hash(source)}.md`);
});

describe.each(texts)("$file", ({ source }) => {
  const { title, version, lastUpdated, earlier = [] } = readFrontMatter(source);
  const history = [...earlier, { version, lastUpdated }];

  it("raises version and date with every change", () => {
    expect(history.map((text) => text.version)).toEqual([...new Set(history.toSorted(byVersion).map(versionOf))]);
    const days = history.map((text) => text.lastUpdated);
    expect(days).toEqual([...new Set(days)].toSorted());
    expect(Date.parse(lastUpdated)).toBeLessThanOrEqual(Date.now());
  });

  it("lists every archived text once and is the newest", () => {
    const ownArchive = archived.filter((text) => text.title === title).toSorted(byVersion);
    const listed = ownArchive.map((text) => ({ version: text.version, lastUpdated: text.lastUpdated }));
    expect(listed).toEqual(history.slice(-ownArchive.length));
    expect(ownArchive.at(-1)?.source).toBe(source);
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
