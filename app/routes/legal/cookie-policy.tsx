import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData, useLocation } from "@remix-run/react";
import { metaFor } from "~/content/page-meta";
import { choiceWords } from "~/content/privacy/consent";
import { opensPreferences, preferencesId, buildPreferencesAddresses } from "~/features/consent/ui/preferences-address";
import { CookieTable } from "~/features/legal/cookie-table";
import { listCookies } from "~/features/legal/cookie-table.server";
import { LegalDocument } from "~/features/legal/legal-document";
import { createLegalDocuments } from "~/features/legal/legal-documents.server";
import { PreferencesOpener } from "~/ui/frame/preferences-opener";
import { getSite } from "~/server/default-site.server";

export const meta: MetaFunction<typeof loader> = (route) => (route.data ? metaFor(route.data.document)(route) : []);

export function loader({ context }: LoaderFunctionArgs) {
  const site = getSite(context);
  return { document: site.feature(createLegalDocuments)["/cookie-policy"], cookies: listCookies(site) };
}

export default function CookiePolicyPage() {
  const { document, cookies } = useLoaderData<typeof loader>();
  const location = useLocation();
  const isOpen = opensPreferences(location.search);
  return (
    <LegalDocument
      document={document}
      inserts={{
        "consent-and-your-choices": (
          <p className="mt-6">
            <PreferencesOpener
              label={choiceWords.open}
              address={buildPreferencesAddresses(location).address}
              dialogId={isOpen ? null : preferencesId}
              className="button"
            />
          </p>
        ),
        "the-cookies-in-detail": <CookieTable groups={cookies} />,
      }}
    />
  );
}
