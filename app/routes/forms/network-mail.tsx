import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
  type SerializeFrom,
} from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { sampleToken } from "#supabase/functions/_shared/mails/letter-mail";
import type { MessageKey, NoticeRules } from "~/content/messages";
import { linkMetaFor } from "~/content/page-meta";
import { networkLinkProblems } from "~/content/pages/network";
import { networkMailPage, sampleLinkPage } from "~/content/pages/network-mail";
import { MailPage } from "~/features/network/mail-page";
import { requestPageLink } from "~/features/network/lost-link.server";
import { requireMailState, stopMail } from "~/features/network/membership.server";
import { NetworkProblem } from "~/features/network/network-problem";
import { formatDay, formatDayOf } from "~/lib/dates";
import { linkAddress } from "~/lib/pages/link-address";
import { passHeaders } from "~/lib/pages/route-headers";
import { getSite } from "~/server/default-site.server";
import { clientAddress } from "~/server/forms/guard.server";
import {
  createLinkRefusal,
  guardLinkPost,
  guardLinkVisit,
  leadToLinkPage,
  readLinkToken,
  refuseLink,
  refuseTooMany,
  showLinkPage,
} from "~/server/forms/secret-link.server";
import { LinkPage } from "~/ui/content/link-page";

export const headers = passHeaders;

const notices: NoticeRules<SerializeFrom<typeof loader>> = {
  networkStopped: ({ view }) => view !== null && view.stopped !== null,
};
export const handle = { notices };

export const meta: MetaFunction<typeof loader> = (args) => {
  return linkMetaFor(networkLinkProblems, args.data?.view === null ? sampleLinkPage : networkMailPage)(args);
};

/** Shows whether mail to a member goes on. Changes nothing, because email scanners follow links. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const site = getSite(context);
  if (readLinkToken(request) === sampleToken) return showLinkPage({ view: null });
  const token = await guardLinkVisit(request, context);
  const stopped = await requireMailState(site, token);
  const days = stopped && {
    on: formatDayOf(stopped.at, site.settings.replyClock.timeZone),
    deletedOn: formatDay(stopped.deletedOn),
  };
  return showLinkPage({ view: { token, stopped: days } });
}

/** Stops all mail, or mails the link to the member's page to the member. */
export async function action({ request, context }: ActionFunctionArgs) {
  const site = getSite(context);
  const { token, form } = await guardLinkPost(request, context);
  const finish = (message: MessageKey, hours = 0) =>
    leadToLinkPage(context, linkAddress("/network/mail", token), message, hours);
  switch (form.get("intent")) {
    case "stop":
      return (await stopMail(site, token)) ? finish("networkStopped") : refuseLink();
    case "link": {
      await requireMailState(site, token);
      const result = await requestPageLink(site, clientAddress(request, context), { token });
      if (result.outcome === "throttled") refuseTooMany(result.retryAfterSeconds);
      if (result.outcome === "line-full") return finish("networkLineFull");
      if (result.outcome !== "accepted") throw createLinkRefusal(503);
      return finish("networkLinkMailed", result.hours);
    }
    default:
      throw createLinkRefusal(400);
  }
}

export const ErrorBoundary = NetworkProblem;

export default function NetworkMailPage() {
  const { view } = useLoaderData<typeof loader>();
  return view === null ? <LinkPage {...sampleLinkPage} /> : <MailPage {...view} />;
}
