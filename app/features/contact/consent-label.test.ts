import { expect, it } from "vitest";
import { contactPage } from "~/content/pages/contact";
import { consentLabelHash, describeConsentLabel } from "~/features/contact/consent-label.server";

it("archives the consent label under its hash, as proof of what a sender agreed to", async () => {
  // Writes a missing file, except in CI.
  const file = `../../content/consent-texts/${consentLabelHash}.json`;
  await expect(describeConsentLabel()).toMatchFileSnapshot(file);
});

it("says in the consent label that consent can be withdrawn", () => {
  expect(contactPage.consent.after).toContain("I can withdraw that at any time.");
});
