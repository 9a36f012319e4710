import type { ReactNode } from "react";
import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, replace } from "@remix-run/node";
import {
  type ClientActionFunctionArgs,
  useActionData,
  useLoaderData,
  useLocation,
  useNavigation,
} from "@remix-run/react";
import { company } from "~/content/company";
import { founder } from "~/content/founder";
import { describeClosing } from "~/lib/reply-promise";
import { howItStarts } from "~/content/how-it-starts";
import { messages } from "~/content/messages";
import { contactPage } from "~/content/pages/contact";
import { metaFor } from "~/content/page-meta";
import { ContactForm } from "~/features/contact/contact-form";
import { contactMessageSchema, joiningMessageSchema } from "#supabase/functions/_shared/contact-message";
import { networkDetailsSchema } from "#supabase/functions/_shared/network-details";
import { consentLabelHash, networkBoxHash } from "~/features/contact/consent-label.server";
import { AfterSending } from "~/features/contact/after-sending";
import { joinBoxName } from "~/features/contact/network-box";
import { findMessageOrigin } from "~/features/contact/message-origin.server";
import { findSentMessage } from "~/features/contact/sent-message.server";
import { receiveContactMessage } from "~/features/contact/contact.server";
import { createLegalDocuments } from "~/features/legal/legal-documents.server";
import { noName } from "~/lib/day-counts";
import { fallbackOnNetworkError, noServerResult } from "~/lib/pages/fallback-on-network-error";
import { contactAddressFrom } from "~/lib/pages/contact-origin";
import { isInvestorForm, relevantQuery } from "~/lib/pages/relevant-query";
import { unlessFormSubmitted } from "~/lib/pages/revalidation";
import { passHeaders } from "~/lib/pages/route-headers";
import { getSite } from "~/server/default-site.server";
import { guardPost } from "~/server/forms/guard.server";
import { receivePublicForm } from "~/server/forms/public-form.server";
import { Face } from "~/ui/content/portrait";
import { Steps } from "~/ui/content/steps";
import { MessageArea } from "~/ui/frame/message-area";

export const handle = { hydrate: true };

export const headers = passHeaders;

export const shouldRevalidate = unlessFormSubmitted;

export const meta: MetaFunction = (route) =>
  metaFor({ ...contactPage, ...findVariant(route.location.search), path: "/contact" })(route);

export function loader({ request, context }: LoaderFunctionArgs) {
  const site = getSite(context);
  return {
    // A new key empties the form. It changes on every load, and the page loads again after a success.
    formKey: crypto.randomUUID(),
    sent: findSentMessage(site, request),
    closing: describeClosing(new Date(), site.settings.replyClock),
  };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const site = getSite(context);
  const post = await guardPost(request, context);
  const origin = findMessageOrigin(request);
  const joins = isInvestorForm(new URL(request.url).search) && post.form.has(joinBoxName);
  const consentPolicyVersion = site.feature(createLegalDocuments)["/privacy-policy"].version;
  const sent = await receivePublicForm(context, post, {
    schema: joins ? joiningMessageSchema : contactMessageSchema,
    tooMany: (wait) => ({ formErrors: [contactPage.tooMany(wait)] }),
    lineFull: messages.contactLineFull,
    failed: messages.contactFailed,
    shown: { origin },
    serve(message, address) {
      const consent = { consentPolicyVersion, consentTextHash: consentLabelHash };
      const network = joins
        ? { ...networkDetailsSchema.parse(message), consentPolicyVersion, consentTextHash: networkBoxHash }
        : undefined;
      return receiveContactMessage(site, message, consent, network, address);
    },
  });
  if ("refusal" in sent) return sent.refusal;
  if (sent.value.honeypot === "") site.counts.add("message", origin ?? noName);
  const notice = joins ? "contactSentJoining" : "contactSent";
  const page = contactAddressFrom(origin ?? "/contact");
  return replace(site.notices.addTo(page, notice, sent.hours), { status: 303 });
}

/** Keeps the page and its input if the connection fails while scripts run. */
export async function clientAction({ serverAction }: ClientActionFunctionArgs) {
  return fallbackOnNetworkError(serverAction<typeof action>(), {
    result: noServerResult,
    message: messages.contactFailed,
    origin: null,
    asked: null,
  });
}

export default function ContactPage() {
  const { formKey, sent, closing } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  const query = relevantQuery("/contact", useLocation().search);
  // After a mistake, only the action's result still names the page that the visitor came from.
  const address = query === "" && result?.origin ? contactAddressFrom(result.origin) : `/contact${query}`;
  const isSending = useNavigation().formAction === address;
  const variant = findVariant(query);
  const next = variant?.joining ?? howItStarts;
  const form = (children: ReactNode) => (
    <ContactForm
      lastResult={result?.result}
      askedAddress={result?.asked ?? null}
      isSending={isSending}
      action={address}
      variant={variant}
      isForInvestors={isInvestorForm(query)}
    >
      {children}
    </ContactForm>
  );
  return (
    <>
      <MessageArea message={result?.message ?? null} />
      <div className="wrap grid gap-10 py-12 md:py-20 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <AfterSending key={formKey} sent={sent} again={form(null)}>
          <div className="max-w-2xl">
            {form(
              <>
                <h1 className="mt-6 text-(length:--text-hero)">{variant?.title ?? contactPage.title}</h1>
                <p className="lead mt-5 mb-8 max-w-[38.5em] text-xl">{variant?.lead ?? contactPage.lead}</p>
                {closing === null ? null : <p className="mb-8">{closing}</p>}
                {founder ? <Face {...founder} /> : null}
              </>,
            )}
          </div>
          <section aria-labelledby="next" className="lg:mt-8">
            <h2 id="next" className="text-xl">
              {next?.title ?? contactPage.next.title}
            </h2>
            {next ? <Steps steps={next.steps} /> : <p className="mt-2">{contactPage.next.text}</p>}
            <p className="mt-4">
              {contactPage.direct} <a href={`mailto:${company.email}`}>{company.email}</a>
            </p>
          </section>
        </AfterSending>
      </div>
    </>
  );
}

function findVariant(search: string) {
  return contactPage.variants[relevantQuery("/contact", search)];
}
