import { expect, it } from "vitest";
import {
  consentLabelHash,
  describeConsentLabel,
  describeNetworkBox,
  networkBoxHash,
} from "~/features/contact/consent-label.server";

it.each([
  ["the consent label", consentLabelHash, describeConsentLabel()],
  ["the box to join the investor network", networkBoxHash, describeNetworkBox()],
])("archives %s under its hash, as proof of what a sender agreed to", async (_, hash, words) => {
  // Writes a missing file, except in CI.
  await expect(words).toMatchFileSnapshot(`../../content/consent-texts/${hash}.json`);
});
