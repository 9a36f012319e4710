import type { MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { metaFor } from "~/content/page-meta";
import { cookiePreferences } from "~/content/pages/cookie-preferences";
import { cookieTableWords, legalWords } from "~/content/pages/legal-words";
import { listCookies } from "~/server/cookie-table.server";
import { legalDocuments } from "~/server/legal-documents.server";
import { CookieTable } from "~/ui/cookie-table";
import { LegalDocument } from "~/ui/legal-document";
import { PreferencesDialog } from "~/ui/preferences-dialog";

export const meta: MetaFunction<typeof loader> = (route) => (route.data ? metaFor(route.data.document)(route) : []);

export function loader() {
  return { document: legalDocuments["/cookie-policy"], cookies: listCookies() };
}

export default function CookiePolicyPage() {
  const { document, cookies } = useLoaderData<typeof loader>();
  return (
    <LegalDocument
      document={document}
      words={legalWords}
      inserts={{
        "consent-and-your-choices": <PreferencesDialog {...cookiePreferences} />,
        "the-cookies-in-detail": <CookieTable {...cookieTableWords} groups={cookies} />,
      }}
    />
  );
}
