import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { createLegalDocuments } from "~/features/legal/legal-documents.server";
import { parseSettings } from "~/server/config/settings.server";
import { withDatabaseOf } from "../../support/find-text";
import { startSite } from "../../support/site";
import { Visitor, filledContactForm, readText } from "../../support/visitor";

it("stores a message with the time, the policy's version and the text that its sender agreed to", async () => {
  const product = await startSite({}, { own: true });
  const visitor = new Visitor(product.url);
  const page = readText((await visitor.get("/contact")).html);
  expect((await visitor.post("/contact", filledContactForm)).status).toBe(303);
  await product.stop();
  const rows = await withDatabaseOf(product.dataDir, (sql) =>
    sql<{ hash: string }>(
      `select consented_at = created_at as at_once, consent_policy_version as version, consent_text_hash as hash
       from public.contact_submissions`,
    ),
  );
  const { version } = createLegalDocuments({ settings: parseSettings({}) })["/privacy-policy"];
  expect(rows).toEqual([{ at_once: true, version, hash: expect.stringMatching(/^[0-9a-f]{64}$/) }]);
  const words = readFileSync(`app/content/consent-texts/${rows[0]?.hash}.json`, "utf8");
  expect(page).toContain((JSON.parse(words) as { contactForm: string }).contactForm);
});
