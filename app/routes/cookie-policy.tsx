import type { MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { metaFor } from "~/content/page-meta";
import { cookieTableWords, legalWords } from "~/content/pages/legal-words";
import { listCookies } from "~/server/cookie-table.server";
import { legalDocuments } from "~/server/legal-documents.server";
import { CookieTable } from "~/ui/cookie-table";
import { LegalDocument } from "~/ui/legal-document";

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
        // What a visitor can change is placed the same way, under "consent-and-your-choices".
        "the-cookies-in-detail": <CookieTable {...cookieTableWords} groups={cookies} />,
      }}
    />
  );
}
