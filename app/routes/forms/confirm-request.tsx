import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
  type SerializeFrom,
  data,
  redirect,
} from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import type { NoticeRules } from "~/content/messages";
import { confirmPage, statusPage } from "~/content/privacy/data-rights-links";
import { type StatusView, toConfirmationView, toStatusView } from "~/features/data-rights/request-views";
import { LinkPage } from "~/ui/content/link-page";
import { LinkProblem, linkPageMeta } from "~/features/data-rights/link-problem";
import { confirmRequest, requireConfirmation } from "~/features/data-rights/links.server";
import { RequestProgress } from "~/features/data-rights/request-progress";
import { RequestFacts } from "~/features/data-rights/request-facts";
import { passHeaders } from "~/lib/pages/route-headers";
import { getSite } from "~/server/default-site.server";
import { guardLinkPost, guardLinkVisit, linkPageHeaders } from "~/server/forms/secret-link.server";

export const headers = passHeaders;

const notices: NoticeRules<SerializeFrom<typeof loader>> = {
  dataRightsConfirmed: ({ confirmed }) => confirmed !== null && confirmed.closed === null,
};
export const handle = { notices };

/** Titles the page after the request once it is confirmed. */
export const meta: MetaFunction<typeof loader> = (args) =>
  linkPageMeta(args.data?.confirmed ? statusPage : confirmPage)(args);

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
    return data({ toConfirm, confirmed: null }, { headers: linkPageHeaders });
  }
  const firm = { today: site.clock.today(), timeZone: site.settings.replyClock.timeZone };
  const confirmed: StatusView = toStatusView(found, firm);
  return data({ toConfirm: null, confirmed }, { headers: linkPageHeaders });
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { token } = await guardLinkPost(request, context);
  const site = getSite(context);
  await confirmRequest(site, token);
  const page = `/data-rights/confirm?token=${encodeURIComponent(token)}`;
  return redirect(site.notices.addTo(page, "dataRightsConfirmed"), { status: 303, headers: linkPageHeaders });
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
