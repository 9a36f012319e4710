import type { MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { metaFor } from "~/content/page-meta";
import { legalWords } from "~/content/privacy/legal-words";
import { legalDocuments } from "~/features/legal/legal-documents.server";
import { LegalDocument } from "~/ui/content/legal-document";

export const meta: MetaFunction<typeof loader> = (route) => (route.data ? metaFor(route.data.document)(route) : []);

export function loader() {
  return { document: legalDocuments["/terms-of-service"] };
}

export default function TermsOfServicePage() {
  const { document } = useLoaderData<typeof loader>();
  return <LegalDocument document={document} words={legalWords} />;
}
