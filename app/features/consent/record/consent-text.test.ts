import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { expect, it } from "vitest";
import { consentVersion } from "~/content/cookie-registry";
import { consentChanges, consentWords } from "~/content/privacy/consent";
import { describeShownText, hashShownText } from "~/features/consent/record/consent-text.server";

const archive = "app/content/consent-texts";
const sources = ["banner", "dialog", "signal"] as const;
const kinds = [true, false];
/** Of one version: the banner's and the dialog's with analytics in use and without, and the signal's. */
const textsOfVersion = 5;

it.each(sources.flatMap((source) => kinds.map((analyticsInUse) => [source, analyticsInUse] as const)))(
  "keeps the words of the %s under their hash (analytics in use: %s), so that a record can be read years later",
  async (source, analyticsInUse) => {
    const file = `${archive}/${hashShownText(source, analyticsInUse)}.json`;
    // Writes a missing file, except in CI; without it no record made on these words could be explained.
    await expect(describeShownText(source, analyticsInUse)).toMatchFileSnapshot(`../../../../${file}`);
  },
);

it("keeps under each hash what has that hash, byte by byte", () => {
  for (const { file, bytes } of readArchive()) {
    expect(`${createHash("sha256").update(bytes).digest("hex")}.json`).toBe(file);
  }
});

it("has one text of each kind a version: whoever changes the words raises it, and says what is new", () => {
  const counts: Record<string, number> = {};
  // The contact form's words have no version of their own.
  for (const { version } of readArchive()) if (version) counts[version] = (counts[version] ?? 0) + 1;
  expect(new Set(Object.values(counts))).toEqual(new Set([textsOfVersion]));
  expect(counts).toHaveProperty([consentVersion]);
  const later = Object.keys(counts).filter((version) => version !== "1.0");
  expect(new Set(Object.keys(consentChanges))).toEqual(new Set(later));
  for (const version of later) expect(consentChanges[version]?.trim(), version).not.toBe("");
});

it("tells apart the texts with analytics in use and without, but for the signal's", () => {
  const hashes = kinds.flatMap((analyticsInUse) => sources.map((source) => hashShownText(source, analyticsInUse)));
  for (const hash of hashes) expect(hash).toMatch(/^[0-9a-f]{64}$/);
  expect(new Set(hashes).size).toBe(textsOfVersion);
});

it("names Google and the way back in the banner where analytics is in use, and asks for nothing where it is not", () => {
  const asked = consentWords(true).banner.text;
  expect(asked).toMatch(/Google Analytics/);
  expect(asked).toMatch(/take back a yes as easily/);
  const unasked = consentWords(false).banner.text;
  expect(unasked).not.toMatch(/\?|Google|May we/);
  for (const inUse of kinds) expect(consentWords(inUse).banner.text).not.toMatch(/measure advertising/);
});

function readArchive() {
  return readdirSync(archive).map((file) => {
    const bytes = readFileSync(`${archive}/${file}`);
    return { file, bytes, version: (JSON.parse(bytes.toString()) as { version?: string }).version };
  });
}
