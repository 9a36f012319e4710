import cookiePolicy from "~/content/legal/cookie-policy.md?raw";
import privacyPolicy from "~/content/legal/privacy-policy.md?raw";
import termsOfService from "~/content/legal/terms-of-service.md?raw";
import { parseLegalDocument } from "./legal-document.server";
import { type LegalSettings, listLegalValues } from "./legal-values.server";

/**
 * Renders a site's legal pages, by path. They state facts from its settings.
 * @throws LegalTextError or ZodError for a text with a mistake; startup requests a page itself, so it fails then
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
