import { expect, it } from "vitest";
import { contactPage } from "~/content/pages/contact";
import { consentLabelHash, describeConsentLabel } from "~/features/contact/consent-label.server";

it("keeps the words beside the box under their hash, so that a message shows years later what its sender agreed to", async () => {
  // Writes a missing file, except in CI.
  const file = `../../content/consent-texts/${consentLabelHash}.json`;
  await expect(describeConsentLabel()).toMatchFileSnapshot(file);
});

it("says in the words beside the box that consent can be taken back", () => {
  expect(contactPage.consent.after).toContain("I can take that back at any time.");
});
