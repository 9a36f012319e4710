import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
  type SerializeFrom,
} from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { networkMemberSchema } from "#supabase/functions/_shared/network-details";
import type { NoticeRules } from "~/content/messages";
import { linkMetaFor } from "~/content/page-meta";
import { leftPage, lostLinkPage, memberPage, networkLinkProblems } from "~/content/pages/network";
import { JoinPage } from "~/features/network/join-page";
import { LostLink } from "~/features/network/lost-link";
import { mailLostLink } from "~/features/network/lost-link.server";
import { MemberForm } from "~/features/network/member-form";
import { MemberPage } from "~/features/network/member-page";
import { toMemberView } from "~/features/network/member-view.server";
import { act, changeMembership, decideMembership, requireMembership } from "~/features/network/membership.server";
import { NetworkProblem } from "~/features/network/network-problem";
import { linkAddress } from "~/lib/pages/link-address";
import { passHeaders } from "~/lib/pages/route-headers";
import { getSite } from "~/server/default-site.server";
import { createFormRefusal } from "~/server/forms/guard.server";
import { parseForm } from "~/server/forms/parse-form.server";
import { keepTyped } from "~/server/forms/refused-post.server";
import {
  createLinkRefusal,
  guardLinkPost,
  guardLinkVisit,
  leadToLinkPage,
  linkPageHeaders,
  showLinkPage,
} from "~/server/forms/secret-link.server";
import type { SiteContext } from "~/server/site-context.server";
import { LinkPage } from "~/ui/content/link-page";

export const headers = passHeaders;

const notices: NoticeRules<SerializeFrom<typeof loader>> = {
  networkJoined: ({ view }) => view !== null && view.membership.state !== "asked",
  networkKept: ({ view }) => view !== null && view.membership.pending === null,
  networkAskedMeanwhile: ({ view }) => view !== null && view.membership.pending !== null,
  networkResumed: ({ view }) => view !== null && view.stopped === null && view.returned === null,
};
export const handle = { notices };

export const meta: MetaFunction<typeof loader> = (args) => {
  const { view, without } = args.data ?? { view: null, without: "link" };
  const own = view?.membership.state === "asked" ? memberPage.asked : memberPage;
  return linkMetaFor(networkLinkProblems, view === null ? pagesWithoutMember[without] : own)(args);
};

const pagesWithoutMember = { link: lostLinkPage, membership: leftPage } as const;

/** Shows a membership, or without a link the form for one. Changes nothing, because email scanners follow links. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const site = getSite(context);
  const without = findWhatIsMissing(site, request);
  if (without !== null) return showLinkPage({ view: null, without });
  const token = await guardLinkVisit(request, context);
  const membership = await requireMembership(site, token);
  const view = toMemberView(token, membership, site.settings.replyClock.timeZone);
  return showLinkPage({ view, without: "link" as const });
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
    const sent = await mailLostLink(request, context);
    return "refusal" in sent ? sent.refusal : leadToLinkPage(context, "/network", "networkLinkSent", sent.hours);
  }
  const { token, form } = await guardLinkPost(request, context);
  const page = linkAddress("/network", token);
  const intent = form.get("intent");
  switch (intent) {
    case "confirm":
    case "discard": {
      const outcome = await decideMembership(site, intent, token, String(form.get("shown") ?? ""));
      const done = intent === "confirm" ? "networkJoined" : "networkKept";
      return leadToLinkPage(context, page, outcome === "changed" ? done : "networkAskedMeanwhile");
    }
    case "resume":
    case "endLinks":
    case "leave": {
      await act(site, intent, token);
      const done = { resume: "networkResumed", endLinks: "networkLinksEnded", leave: "networkLeft" } as const;
      return leadToLinkPage(context, intent === "resume" ? page : "/network", done[intent]);
    }
    case "change": {
      const submission = parseForm(form, networkMemberSchema);
      const refuse = createFormRefusal(context, submission, { asked: null }, linkPageHeaders);
      if (submission.status !== "success") return refuse(400);
      const seen = /^\d{1,9}$/.exec(String(form.get("seen")))?.[0] ?? null;
      const version = seen === null ? null : Number(seen);
      const outcome = await changeMembership(site, token, submission.value, version).catch((refusal: unknown) => {
        throw keepTyped(refusal, request, form);
      });
      // Browsers keep the form's fragment across a redirect without one, and would scroll past the notice.
      if (outcome === "changed") return leadToLinkPage(context, `${page}#top`, "networkChanged");
      return refuse(409, { formErrors: [memberPage.change[outcome]] });
    }
    default:
      throw createLinkRefusal(400);
  }
}

export const ErrorBoundary = NetworkProblem;

export default function NetworkPage() {
  const { view, without } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  if (view === null) {
    if (without === "link") return <LostLink refused={result} />;
    return <LinkPage {...pagesWithoutMember[without]} />;
  }
  if (view.membership.state === "asked") return <JoinPage view={view} />;
  const { token, membership } = view;
  // A refused post keeps its form, so that nothing typed is lost.
  const canChange = !membership.is_restricted || result !== undefined;
  return (
    <MemberPage view={view}>
      {canChange ? <MemberForm token={token} membership={membership} lastResult={result?.result} /> : null}
    </MemberPage>
  );
}
