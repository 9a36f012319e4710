import { type LinksFunction, type LoaderFunctionArgs, type MetaFunction, data } from "@remix-run/node";
import {
  Outlet,
  Scripts,
  ScrollRestoration,
  type ShouldRevalidateFunction,
  isRouteErrorResponse,
  useLoaderData,
  useLocation,
  useMatches,
  useRouteError,
  useRouteLoaderData,
} from "@remix-run/react";
import figtree from "virtual:core-fonts/figtree";
import fraunces from "virtual:core-fonts/fraunces";
import type { ReactNode } from "react";
import { shownWords } from "#firm/words";
import {
  type ErrorPageCopy,
  errorPages,
  missingPageWords,
  refusedPostWords,
  serverErrorPage,
  unreadableLetters,
  unreadableLettersPage,
} from "./content/error-pages";
import { company } from "./content/company";
import { founder } from "./content/founder";
import { companyElementId, describeCompany } from "./content/firm/company-element";
import { choiceWords, consentWords } from "~/content/privacy/consent";
import { ConsentBanner } from "~/features/consent/ui/consent-banner";
import { ConsentStatus } from "~/features/consent/ui/consent-status";
import { findMessage } from "~/features/consent/state/find-message.server";
import { openConsent } from "~/features/consent/state/consent-view.server";
import { OpenPreferences, PreferencesDialog } from "~/features/consent/ui/preferences";
import { buildPreferencesAddresses, preferencesId } from "~/features/consent/ui/preferences-address";
import { clientAddress } from "~/server/forms/guard.server";
import { getSite } from "~/server/default-site.server";
import styles from "./styles.css?url";
import adminStyles from "./styles/admin.css?url";
import printStyles from "./styles/print.css?url";
import { DocumentHead } from "~/ui/frame/document-head";
import { ErrorPage } from "~/ui/frame/error-page";
import { Face } from "~/ui/content/portrait";
import { Footer } from "~/ui/frame/footer";
import { Header } from "~/ui/frame/header";
import { Main, MainLead } from "~/ui/frame/main";
import { RefusedPostHelp } from "~/ui/frame/refused-post-help";
import { PreferencesOpener } from "~/ui/frame/preferences-opener";
import { RedirectMessage } from "~/ui/frame/redirect-message";
import { TimeZoneProvider } from "~/ui/frame/time-zone";
import { describeOrigin, listFooterColumns } from "./content/footer";
import { contactLinkFrom, headerLinks } from "./content/navigation";
import { useDocumentParts } from "~/ui/frame/document-parts";
import { adminContentId, isAdminArea } from "~/lib/pages/admin-area";
import { holdsNotice } from "~/lib/pages/held-notice";
import { isHydrated } from "~/lib/pages/hydration";
import { isPrefetch } from "~/lib/http/prefetch";
import { findRefusedPost } from "~/lib/pages/refused-post";
import { unlessFormSubmitted } from "~/lib/pages/revalidation";
import { passHeaders } from "~/lib/pages/route-headers";
import { pageTitle } from "./content/page-title";
import { versionsOf } from "~/lib/site-version";

export const headers = passHeaders;

/** Revalidates after a cookie decision, which changes the document. Results of other forms leave it unchanged. */
export const shouldRevalidate: ShouldRevalidateFunction = (change) =>
  change.formAction === "/consent" || unlessFormSubmitted(change);

export const links: LinksFunction = () => [
  { rel: "preload", href: figtree, as: "font", type: "font/woff2", crossOrigin: "anonymous" },
  { rel: "preload", href: fraunces, as: "font", type: "font/woff2", crossOrigin: "anonymous" },
  { rel: "icon", href: "/favicon.ico", sizes: "32x32" },
  { rel: "icon", href: "/favicon.svg", type: "image/svg+xml" },
  { rel: "apple-touch-icon", href: "/apple-touch-icon.png" },
  { rel: "manifest", href: "/site.webmanifest" },
];

/** Sets the title of error pages; all other pages set their own. */
export const meta: MetaFunction = ({ error }) =>
  (error ?? null) === null ? [{ title: company.name }] : [{ title: pageTitle(toErrorPage(error).title) }];

/** Finds the message that a redirect carries, and reads the consent state. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  if (context.isBusy) throw new Response(null, { status: 503, statusText: "Service Unavailable" });
  const site = getSite(context);
  // A prefetched page may never be shown, so store nothing.
  const isPrefetched = isPrefetch(request.headers.get("sec-purpose"));
  const { view, setCookies } = context.consent
    ? { view: context.consent, setCookies: [] }
    : await openConsent(site, request, {
        mayAct: !isPrefetched,
        mayRead: async () => (await site.limits.countVisit(clientAddress(request, context), "consent-record")).allowed,
        maySave: async () => (await site.limits.countPost(clientAddress(request, context), "signal")).allowed,
      });
  return data(
    {
      found: findMessage(site, request, view),
      consent: view,
      requestId: context.requestId ?? null,
      hasMistakes: context.hasMistakes === true,
      question: context.question ?? null,
      siteUrl: site.settings.siteUrl,
      hasInsights: site.insights.isPublished("/insights"),
      year: Number(site.clock.today().slice(0, 4)),
      timeZone: site.settings.replyClock.timeZone,
      // For admins only: a stranger could look up its known faults.
      versions: new URL(request.url).pathname.startsWith("/admin") ? versionsOf(site.settings) : null,
    },
    { headers: setCookies.map((value): [string, string] => ["Set-Cookie", value]) },
  );
}

/** Renders the document around every page. Only routes with `handle = { hydrate: true }` load scripts. */
export function Layout({ children }: { children: ReactNode }) {
  const { mark } = useDocumentParts();
  const location = useLocation();
  const { pathname } = location;
  const error = useRouteError();
  const isMissing = isRouteErrorResponse(error) && error.status === 404;
  const matches = useMatches();
  const hydrated = matches.some(isHydrated);
  // Admins need other navigation than visitors. Error pages are the same for everyone.
  const isInAdminArea = (error ?? null) === null && matches.some(isAdminArea);
  const contactLink = contactLinkFrom((error ?? null) === null ? pathname : null);
  const rootData = useRouteLoaderData<typeof loader>("root");
  const consent = rootData?.consent;
  const found = rootData?.found ?? null;
  const isTrueHere =
    found !== null && ((error ?? null) === null ? holdsNotice(matches, found.key) : found.isAboutCookies);
  const { page, address } = buildPreferencesAddresses(location, isMissing);
  const hasDialog = consent && !consent.preferencesOpen && (consent.asks || hydrated || pathname === "/cookie-policy");
  const preferences = { address, dialogId: hasDialog ? preferencesId : null };
  const footerNote = (
    <>
      {consent?.signalHonored ? <p>{consentWords(consent.analyticsInUse).signal.text}</p> : null}
      <PreferencesOpener {...preferences} label={choiceWords.footer} className="chrome-link" />
    </>
  );
  return (
    <html lang="en">
      <DocumentHead isMissing={isMissing} stylesAddress={styles}>
        {isInAdminArea ? <link rel="stylesheet" href={adminStyles} /> : null}
        <link rel="stylesheet" href={printStyles} media="print" />
      </DocumentHead>
      <body>
        <a href={`#${isInAdminArea ? adminContentId : "main"}`} className="skip-link">
          Skip to main content
        </a>
        {consent?.asks && !isInAdminArea ? (
          <ConsentBanner consent={consent} page={page} preferences={preferences} />
        ) : null}
        {isInAdminArea ? null : <ConsentStatus asks={consent?.asks === true} />}
        {isInAdminArea ? null : (
          <Header name={company.name} links={headerLinks} action={contactLink} currentPath={pathname} />
        )}
        <MainLead
          value={
            <>
              {consent?.preferencesOpen ? <OpenPreferences consent={consent} page={page} address={address} /> : null}
              <RedirectMessage message={isTrueHere ? found.message : null} />
            </>
          }
        >
          {isInAdminArea ? children : <Main>{children}</Main>}
        </MainLead>
        {isInAdminArea ? (
          <footer className="wrap flex flex-wrap items-center justify-between gap-x-6 py-4">
            <div>{footerNote}</div>
            {rootData?.versions ? <VersionLine {...rootData.versions} /> : null}
          </footer>
        ) : (
          <Footer
            name={company.name}
            tagline={company.tagline}
            columns={listFooterColumns(contactLink, rootData?.siteUrl, rootData?.hasInsights === true)}
            currentPath={pathname}
            year={rootData?.year}
            imprint={describeOrigin(rootData?.siteUrl, (error ?? null) === null ? pathname : null)}
          >
            {footerNote}
          </Footer>
        )}
        {hasDialog ? <PreferencesDialog hasScripts={hydrated} consent={consent} page={page} address={address} /> : null}
        {hydrated ? (
          <>
            <script
              type="application/json"
              id={companyElementId}
              dangerouslySetInnerHTML={{ __html: describeCompany(company, pathname, shownWords) }}
            />
            <ScrollRestoration nonce={mark} />
            <Scripts nonce={mark} />
          </>
        ) : null}
      </body>
    </html>
  );
}

export default function Root() {
  const { timeZone } = useLoaderData<typeof loader>();
  return (
    <TimeZoneProvider timeZone={timeZone}>
      <Outlet />
    </TimeZoneProvider>
  );
}

function VersionLine({ version, postgresql }: ReturnType<typeof versionsOf>) {
  return <p className="text-(--muted)">Version {postgresql ? `${version}, PostgreSQL ${postgresql}` : version}</p>;
}

/** Renders every error in the site's frame and says what to do next. The error itself never reaches the page. */
export function ErrorBoundary() {
  const error = useRouteError();
  const rootData = useRouteLoaderData<typeof loader>("root");
  const { status, eyebrow, title, text } = toErrorPage(error);
  return (
    <ErrorPage
      status={status}
      eyebrow={eyebrow}
      title={title}
      text={text}
      requestId={status >= 500 ? (rootData?.requestId ?? null) : null}
      ways={status === 404 ? pageGroups : []}
      help={status === 404 ? missingPageHelp : null}
    >
      <RefusedPostHelp refused={findRefusedPost(error)} words={refusedPostWords} />
    </ErrorPage>
  );
}

/** Links for visitors of a missing page. */
const pageGroups = headerLinks.flatMap(({ label, pages }) => (pages ? [{ label, links: pages }] : []));

/** The person who can help them, if the facts name one. */
const missingPageHelp = founder ? (
  <Face {...founder}>
    <a href="/contact">{missingPageWords.contact}</a>
  </Face>
) : null;

function toErrorPage(error: unknown): ErrorPageCopy & { status: number } {
  const status = isRouteErrorResponse(error) ? error.status : 500;
  if (isRouteErrorResponse(error) && error.data === unreadableLetters) return { status, ...unreadableLettersPage };
  return { status, ...(errorPages[status] ?? serverErrorPage) };
}
