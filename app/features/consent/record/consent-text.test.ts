import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { expect, it } from "vitest";
import { consentVersion } from "~/content/cookie-registry";
import { consentChanges } from "~/content/privacy/consent";
import { describeShownText, hashShownText } from "~/features/consent/record/consent-text.server";

const archive = "app/content/consent-texts";
const sources = ["banner", "dialog", "signal"] as const;
const analyticsStates = [true, false];
/** Texts per version: banner and dialog with and without analytics in use, plus the signal's text. */
const textsOfVersion = 5;

const textsOfDecisions = sources.flatMap((source) =>
  analyticsStates.map((analyticsInUse): [string, string, string] => [
    `the ${source}'s text (analytics in use: ${analyticsInUse})`,
    hashShownText(source, analyticsInUse),
    describeShownText(source, analyticsInUse),
  ]),
);

it.each(textsOfDecisions)("archives %s under its hash", async (_case, hash, words) => {
  // Writes a missing file, except in CI. Without the file, no record that refers to this text could be explained.
  await expect(words).toMatchFileSnapshot(`../../../../${archive}/${hash}.json`);
});

it("archives each text under the hash of its bytes", () => {
  for (const { file, bytes } of readArchive()) {
    expect(`${createHash("sha256").update(bytes).digest("hex")}.json`).toBe(file);
  }
});

it("has one set of texts per version and a description of each change", () => {
  const counts: Record<string, number> = {};
  // The contact form's text has no version.
  for (const { version } of readArchive()) if (version) counts[version] = (counts[version] ?? 0) + 1;
  expect(new Set(Object.values(counts))).toEqual(new Set([textsOfVersion]));
  expect(counts).toHaveProperty([consentVersion]);
  const later = Object.keys(counts).filter((version) => version !== "1.0");
  expect(new Set(Object.keys(consentChanges))).toEqual(new Set(later));
  for (const version of later) expect(consentChanges[version]?.trim(), version).not.toBe("");
});

function readArchive() {
  return readdirSync(archive).map((file) => {
    const bytes = readFileSync(`${archive}/${file}`);
    return { file, bytes, version: (JSON.parse(bytes.toString()) as { version?: string }).version };
  });
}
