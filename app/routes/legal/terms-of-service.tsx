import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { metaFor } from "~/content/page-meta";
import { LegalDocument } from "~/features/legal/legal-document";
import { createLegalDocuments } from "~/features/legal/legal-documents.server";
import { getSite } from "~/server/default-site.server";

export const meta: MetaFunction<typeof loader> = (route) => (route.data ? metaFor(route.data.document)(route) : []);

export function loader({ context }: LoaderFunctionArgs) {
  return { document: getSite(context).feature(createLegalDocuments)["/terms-of-service"] };
}

export default function TermsOfServicePage() {
  const { document } = useLoaderData<typeof loader>();
  return <LegalDocument document={document} />;
}
