import { expect, it } from "vitest";
import { consentVersion } from "~/content/facts";
import { consentChanges } from "~/content/privacy/consent";
import { hashShownText } from "~/features/consent/record/consent-text.server";

/** Fingerprints of the words that were shown under each version: what the records of consent refer to. */
const published: Record<string, ReturnType<typeof hashAll>> = {
  "1.0": {
    banner: "7730d9f46cc946f56c1a8f063829306f7958c804a281ee15a8b54fc1f9ca309d",
    dialog: "fad1c5afb765bd2dab434270628288878bfce4ff0957a52ede7e68dcd733534a",
    signal: "8b6e35fc339423cb8be11abd6efc3f9af8d02038dd40d0d38d1504c3a636162a",
  },
};

it("whoever changes the words that are consented to raises the version and adds its fingerprints here", () => {
  expect({ [consentVersion]: hashAll() }).toEqual({ [consentVersion]: published[consentVersion] });
});

it("says what changed with every version after the first, because whoever chose before is asked again", () => {
  const [first, ...later] = Object.keys(published);
  expect(first).toBe("1.0");
  expect(Object.keys(consentChanges)).toEqual(later);
  for (const version of later) expect(consentChanges[version]?.trim(), version).not.toBe("");
  expect(Object.keys(published).at(-1)).toBe(consentVersion);
});

it("tells the three texts apart", () => {
  const hashes = Object.values(hashAll());
  for (const hash of hashes) expect(hash).toMatch(/^[0-9a-f]{64}$/);
  expect(new Set(hashes).size).toBe(3);
});

function hashAll() {
  return { banner: hashShownText("banner"), dialog: hashShownText("dialog"), signal: hashShownText("signal") };
}
