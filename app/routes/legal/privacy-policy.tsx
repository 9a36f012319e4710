import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { company } from "~/content/company";
import { metaFor } from "~/content/page-meta";
import { processorSentences, representativeSentences } from "~/content/privacy/legal-words";
import { LegalDocument } from "~/features/legal/legal-document";
import { createLegalDocuments } from "~/features/legal/legal-documents.server";
import { getSite } from "~/server/default-site.server";

export const meta: MetaFunction<typeof loader> = (route) => (route.data ? metaFor(route.data.document)(route) : []);

export function loader({ context }: LoaderFunctionArgs) {
  return { document: getSite(context).feature(createLegalDocuments)["/privacy-policy"] };
}

const inserts = {
  "who-we-are-and-how-to-reach-us": toParagraphs(representativeSentences(company.representatives)),
  "who-receives-your-data": toParagraphs(processorSentences(company.processors)),
};

export default function PrivacyPolicyPage() {
  const { document } = useLoaderData<typeof loader>();
  return <LegalDocument document={document} inserts={inserts} />;
}

function toParagraphs(sentences: readonly string[]) {
  return sentences.map((sentence) => <p key={sentence}>{sentence}</p>);
}
