import cookiePolicy from "~/content/legal/cookie-policy.md?raw";
import privacyPolicy from "~/content/legal/privacy-policy.md?raw";
import termsOfService from "~/content/legal/terms-of-service.md?raw";
import { parseLegalDocument } from "./legal-document.server";
import { legalValues } from "./legal-values.server";

/** The legal pages by path, rendered once when the server starts; a text with a mistake stops the start. */
export const legalDocuments = {
  "/privacy-policy": publish("/privacy-policy", privacyPolicy),
  "/terms-of-service": publish("/terms-of-service", termsOfService),
  "/cookie-policy": publish("/cookie-policy", cookiePolicy),
};

function publish(path: string, source: string) {
  return { path, ...parseLegalDocument(source, legalValues) };
}
