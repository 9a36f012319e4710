import { expect, it } from "vitest";
import { contactPage } from "~/content/pages/contact";
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

it("says in the box's words that a member can leave at any time", () => {
  expect(describeNetworkBox()).toContain("a few emails a year, leave at any time");
});

it("says in the consent label that consent can be withdrawn", () => {
  expect(contactPage.consent.after).toContain("I can withdraw that at any time.");
});
