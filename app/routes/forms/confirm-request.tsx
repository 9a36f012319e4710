import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
  type SerializeFrom,
} from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import type { NoticeRules } from "~/content/messages";
import { linkMetaFor } from "~/content/page-meta";
import { confirmPage, linkProblems, statusPage } from "~/content/privacy/data-rights-links";
import { toConfirmationView, toStatusView } from "~/features/data-rights/request-views";
import { LinkPage } from "~/ui/content/link-page";
import { LinkProblem } from "~/features/data-rights/link-problem";
import { confirmRequest, requireConfirmation } from "~/features/data-rights/links.server";
import { RequestProgress } from "~/features/data-rights/request-progress";
import { RequestFacts } from "~/features/data-rights/request-facts";
import { linkAddress } from "~/lib/pages/link-address";
import { passHeaders } from "~/lib/pages/route-headers";
import { getSite } from "~/server/default-site.server";
import { guardLinkPost, guardLinkVisit, leadToLinkPage, showLinkPage } from "~/server/forms/secret-link.server";

export const headers = passHeaders;

const notices: NoticeRules<SerializeFrom<typeof loader>> = {
  dataRightsConfirmed: ({ confirmed }) => confirmed !== null && confirmed.closed === null,
};
export const handle = { notices };

/** Titles the page after the request once it is confirmed. */
export const meta: MetaFunction<typeof loader> = (args) =>
  linkMetaFor(linkProblems, args.data?.confirmed ? statusPage : confirmPage)(args);

/**
 * Shows the data rights request to confirm, or for an hour after that, its progress. Changes nothing, because programs
 * that check mail follow links.
 */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const token = await guardLinkVisit(request, context);
  const site = getSite(context);
  const found = await requireConfirmation(site, token);
  if (found.state === "unconfirmed") {
    const toConfirm = { token, view: toConfirmationView(found) };
    return showLinkPage({ toConfirm, confirmed: null });
  }
  const firm = { today: site.clock.today(), timeZone: site.settings.replyClock.timeZone };
  return showLinkPage({ toConfirm: null, confirmed: toStatusView(found, firm) });
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { token } = await guardLinkPost(request, context);
  await confirmRequest(getSite(context), token);
  return leadToLinkPage(context, linkAddress("/data-rights/confirm", token), "dataRightsConfirmed");
}

export const ErrorBoundary = LinkProblem;

export default function ConfirmRequestPage() {
  const { toConfirm, confirmed } = useLoaderData<typeof loader>();
  if (toConfirm === null) return <RequestProgress request={confirmed} />;
  return (
    <LinkPage title={confirmPage.title} lead={confirmPage.lead}>
      <RequestFacts request={toConfirm.view} />
      <form method="post" action="/data-rights/confirm" className="mt-10">
        <input type="hidden" name="token" value={toConfirm.token} />
        <button className="button w-full sm:w-auto">{confirmPage.confirm}</button>
      </form>
      <p className="mt-10 text-(--muted)">{confirmPage.otherwise}</p>
    </LinkPage>
  );
}
