import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
  type SerializeFrom,
} from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import type { MessageKey, NoticeRules } from "~/content/messages";
import { linkMetaFor } from "~/content/page-meta";
import { linkProblems, statusPage } from "~/content/privacy/data-rights-links";
import { toStatusView } from "~/features/data-rights/request-views";
import { LinkProblem } from "~/features/data-rights/link-problem";
import { requestPackageLink, requireStatus, withdrawRequest } from "~/features/data-rights/links.server";
import { PackageOffer } from "~/features/data-rights/package-offer";
import { RequestProgress } from "~/features/data-rights/request-progress";
import { Withdrawal, withdrawParameter } from "~/features/data-rights/withdrawal";
import { formatDayOf } from "~/lib/dates";
import { linkAddress } from "~/lib/pages/link-address";
import { passHeaders } from "~/lib/pages/route-headers";
import { getSite } from "~/server/default-site.server";
import { guardLinkPost, guardLinkVisit, leadToLinkPage, showLinkPage } from "~/server/forms/secret-link.server";

export const headers = passHeaders;

const notices: NoticeRules<SerializeFrom<typeof loader>> = {
  dataRightsPackage: ({ packageUntil }) => packageUntil !== null,
  dataRightsWithdrawn: ({ canWithdraw }) => !canWithdraw,
  dataRightsClosed: ({ canWithdraw }) => !canWithdraw,
};
export const handle = { notices };

export const meta: MetaFunction<typeof loader> = (page) =>
  linkMetaFor(linkProblems, page.data?.isAsking && page.data.canWithdraw ? statusPage.asking : statusPage)(page);

export async function loader({ request, context }: LoaderFunctionArgs) {
  const token = await guardLinkVisit(request, context);
  const site = getSite(context);
  const { timeZone } = site.settings.replyClock;
  const status = await requireStatus(site, token);
  const isAsking = new URL(request.url).searchParams.get(withdrawParameter) === "ask";
  const canWithdraw = status.closed_at === null;
  const packageUntil = status.package_until ? formatDayOf(status.package_until, timeZone) : null;
  const view = toStatusView(status, { today: site.clock.today(), timeZone });
  return showLinkPage({ token, isAsking, canWithdraw, packageUntil, view });
}

/**
 * Withdraws the data rights request, or emails the link to the data. The status page then shows the result, also if
 * there was nothing to withdraw.
 */
export async function action({ request, context }: ActionFunctionArgs) {
  const site = getSite(context);
  const { token, form } = await guardLinkPost(request, context);
  const showStatus = (message: MessageKey) =>
    leadToLinkPage(context, linkAddress("/data-rights/status", token), message);
  if (form.get("intent") === "package") {
    await requestPackageLink(site, token);
    return showStatus("dataRightsPackage");
  }
  const isWithdrawn = await withdrawRequest(site, token);
  // An unknown token gets a 404 here, not a message about a withdrawal.
  if (!isWithdrawn) await requireStatus(site, token);
  return showStatus(isWithdrawn ? "dataRightsWithdrawn" : "dataRightsClosed");
}

export const ErrorBoundary = LinkProblem;

export default function RequestStatusPage() {
  const { token, isAsking, canWithdraw, packageUntil, view } = useLoaderData<typeof loader>();
  return (
    <RequestProgress request={view}>
      {packageUntil === null ? null : <PackageOffer token={token} until={packageUntil} />}
      {canWithdraw ? <Withdrawal token={token} isAsking={isAsking} /> : null}
    </RequestProgress>
  );
}
