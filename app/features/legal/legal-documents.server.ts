import cookiePolicy from "~/content/legal/cookie-policy.md?raw";
import privacyPolicy from "~/content/legal/privacy-policy.md?raw";
import termsOfService from "~/content/legal/terms-of-service.md?raw";
import { parseLegalDocument } from "./legal-document.server";
import { type LegalSettings, listLegalValues } from "./legal-values.server";

/**
 * Renders the legal pages of a site, by path: they state what its settings are.
 * @throws LegalTextError or ZodError for a text with a mistake, at the site's first page, which a start makes by itself
 */
export function createLegalDocuments({ settings }: { settings: LegalSettings }) {
  const values = listLegalValues(settings);
  const publish = (path: string, source: string) => ({ path, ...parseLegalDocument(source, values) });
  return {
    "/privacy-policy": publish("/privacy-policy", privacyPolicy),
    "/terms-of-service": publish("/terms-of-service", termsOfService),
    "/cookie-policy": publish("/cookie-policy", cookiePolicy),
  };
}
