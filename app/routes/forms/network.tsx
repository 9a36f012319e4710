import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
  type SerializeFrom,
  data,
  redirect,
} from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { networkMemberSchema } from "#supabase/functions/_shared/network-details";
import type { MessageKey, NoticeRules } from "~/content/messages";
import { unlistedMetaFor } from "~/content/page-meta";
import { leftPage, lostLinkPage, memberPage } from "~/content/pages/network";
import { JoinPage } from "~/features/network/join-page";
import { LostLink } from "~/features/network/lost-link";
import { mailLostLink } from "~/features/network/lost-link.server";
import { MemberForm } from "~/features/network/member-form";
import { MemberPage } from "~/features/network/member-page";
import { toMemberView } from "~/features/network/member-view.server";
import { act, changeMembership, decideMembership, requireMembership } from "~/features/network/membership.server";
import { networkAddress } from "~/features/network/network-address";
import { NetworkProblem, findNetworkProblem } from "~/features/network/network-problem";
import { WordsPage } from "~/features/network/words-page";
import { passHeaders } from "~/lib/pages/route-headers";
import { getSite } from "~/server/default-site.server";
import { parseForm } from "~/server/forms/parse-form.server";
import { keepTyped } from "~/server/forms/refused-post.server";
import { createLinkRefusal, guardLinkPost, guardLinkVisit, linkPageHeaders } from "~/server/forms/secret-link.server";
import type { SiteContext } from "~/server/site-context.server";

export const headers = passHeaders;

const notices: NoticeRules<SerializeFrom<typeof loader>> = {
  networkJoined: ({ view }) => view !== null && view.membership.state !== "asked",
  networkKept: ({ view }) => view !== null && view.membership.pending === null,
  networkAskedMeanwhile: ({ view }) => view !== null && view.membership.pending !== null,
  networkResumed: ({ view }) => view !== null && view.stopped === null && view.returned === null,
};
export const handle = { notices };

export const meta: MetaFunction<typeof loader> = (args) => {
  if ((args.error ?? null) !== null) return unlistedMetaFor(findNetworkProblem(args.error))(args);
  const { view, without } = args.data ?? { view: null, without: "link" };
  if (view === null) return unlistedMetaFor(pagesWithoutMember[without])(args);
  return unlistedMetaFor(view.membership.state === "asked" ? memberPage.asked : memberPage)(args);
};

const pagesWithoutMember = { link: lostLinkPage, membership: leftPage } as const;

/** Shows a membership, or without a link the form for one. Changes nothing, because email scanners follow links. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const site = getSite(context);
  const without = findWhatIsMissing(site, request);
  if (without !== null) return data({ view: null, without }, { headers: linkPageHeaders });
  const token = await guardLinkVisit(request, context);
  const membership = await requireMembership(site, token);
  const view = toMemberView(token, membership, site.settings.replyClock.timeZone);
  return data({ view, without: "link" as const }, { headers: linkPageHeaders });
}

/** Tells why an address shows no membership; null if its token may be a member's. */
function findWhatIsMissing(site: SiteContext, request: Request): keyof typeof pagesWithoutMember | null {
  if (new URL(request.url).searchParams.has("token")) return null;
  return site.notices.findFor(request)?.key === "networkLeft" ? "membership" : "link";
}

/** Without a token in the address, mails a lost link; otherwise changes the membership. */
export async function action({ request, context }: ActionFunctionArgs) {
  const site = getSite(context);
  if (!new URL(request.url).searchParams.has("token")) {
    const result = await mailLostLink(request, context);
    if ("hours" in result) return redirectTo(site, "/network", "networkLinkSent", result.hours);
    context.hasMistakes = true;
    const { status, retryAfterSeconds, ...shown } = result;
    const retryAfter: Record<string, string> =
      retryAfterSeconds === undefined ? {} : { "Retry-After": String(retryAfterSeconds) };
    return data({ lostLink: shown, change: null }, { status, headers: { ...linkPageHeaders, ...retryAfter } });
  }
  const { token, form } = await guardLinkPost(request, context);
  const page = networkAddress(token);
  const intent = form.get("intent");
  switch (intent) {
    case "confirm":
    case "discard": {
      const isDone = await decideMembership(site, intent, token, String(form.get("shown") ?? ""));
      const done = intent === "confirm" ? "networkJoined" : "networkKept";
      return redirectTo(site, page, isDone ? done : "networkAskedMeanwhile");
    }
    case "resume":
      await act(site, intent, token);
      return redirectTo(site, page, "networkResumed");
    case "endLinks":
      await act(site, intent, token);
      return redirectTo(site, "/network", "networkLinksEnded");
    case "leave":
      await act(site, intent, token);
      return redirectTo(site, "/network", "networkLeft");
    case "change": {
      const submission = parseForm(form, networkMemberSchema);
      const refuse = (status: number, error?: string) => {
        context.hasMistakes = true;
        const change = submission.reply(error === undefined ? {} : { formErrors: [error] });
        return data({ lostLink: null, change }, { status, headers: linkPageHeaders });
      };
      if (submission.status !== "success") return refuse(400);
      const seen = /^\d{1,9}$/.exec(String(form.get("seen")))?.[0] ?? null;
      const version = seen === null ? null : Number(seen);
      const outcome = await changeMembership(site, token, submission.value, version).catch((refusal: unknown) => {
        throw keepTyped(refusal, request, form);
      });
      // Browsers keep the form's fragment across a redirect without one, and would scroll past the notice.
      if (outcome === "changed") return redirectTo(site, `${page}#top`, "networkChanged");
      return refuse(409, memberPage.change[outcome]);
    }
    default:
      throw createLinkRefusal(400);
  }
}

function redirectTo(site: SiteContext, page: string, message: MessageKey, hours = 0) {
  return redirect(site.notices.addTo(page, message, hours), { status: 303, headers: linkPageHeaders });
}

export const ErrorBoundary = NetworkProblem;

export default function NetworkPage() {
  const { view, without } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  if (view === null) {
    if (without === "link") return <LostLink failure={result?.lostLink ?? null} />;
    return <WordsPage {...pagesWithoutMember[without]} />;
  }
  if (view.membership.state === "asked") return <JoinPage view={view} />;
  const { token, membership } = view;
  const lastResult = result?.change ?? undefined;
  // A refused post keeps its form, so that nothing typed is lost.
  const canChange = !membership.is_restricted || lastResult !== undefined;
  return (
    <MemberPage view={view}>
      {canChange ? <MemberForm token={token} membership={membership} lastResult={lastResult} /> : null}
    </MemberPage>
  );
}
