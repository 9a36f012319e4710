import { parseWithZod } from "@conform-to/zod/v4";
import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, data, redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { networkMemberSchema } from "#supabase/functions/_shared/network-details";
import type { MessageKey } from "~/content/messages";
import { unlistedMetaFor } from "~/content/page-meta";
import { leftPage, lostLinkPage, memberPage } from "~/content/pages/network";
import { JoinPage } from "~/features/network/join-page";
import { LeftPage } from "~/features/network/left-page";
import { LostLink } from "~/features/network/lost-link";
import { mailLostLink } from "~/features/network/lost-link.server";
import { MemberForm } from "~/features/network/member-form";
import { MemberPage } from "~/features/network/member-page";
import { toMemberView } from "~/features/network/member-view.server";
import {
  changeMembership,
  confirmMembership,
  discardPending,
  leaveNetwork,
  requireMembership,
} from "~/features/network/membership.server";
import { networkAddress } from "~/features/network/network-address";
import { NetworkProblem, findNetworkProblem } from "~/features/network/network-problem";
import { passHeaders } from "~/lib/pages/route-headers";
import { getSite } from "~/server/default-site.server";
import { keepTyped } from "~/server/forms/refused-post.server";
import { guardLinkPost, guardLinkVisit, linkPageHeaders } from "~/server/forms/secret-link.server";
import type { SiteContext } from "~/server/site-context.server";

export const headers = passHeaders;

export const meta: MetaFunction<typeof loader> = (args) => {
  if ((args.error ?? null) !== null) return unlistedMetaFor(findNetworkProblem(args.error))(args);
  const { view, hasLeft } = args.data ?? { view: null, hasLeft: false };
  if (view === null) return unlistedMetaFor(hasLeft ? leftPage : lostLinkPage)(args);
  return unlistedMetaFor(view.membership.state === "asked" ? memberPage.asked : memberPage)(args);
};

/** Shows a membership, or without a link the form for one. Changes nothing, because email scanners follow links. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const site = getSite(context);
  if (!new URL(request.url).searchParams.has("token")) {
    const hasLeft = site.notices.find(request.url)?.key === "networkLeft";
    return data({ view: null, hasLeft }, { headers: linkPageHeaders });
  }
  const token = await guardLinkVisit(request, context);
  const membership = await requireMembership(site, token);
  const view = toMemberView(token, membership, site.settings.replyClock.timeZone);
  return data({ view, hasLeft: false }, { headers: linkPageHeaders });
}

/** Without a token in the address, mails a lost link; otherwise changes the membership. */
export async function action({ request, context }: ActionFunctionArgs) {
  const site = getSite(context);
  if (!new URL(request.url).searchParams.has("token")) {
    const failure = await mailLostLink(request, context);
    if (failure === null) return redirectTo(site, "/network", "networkLinkSent");
    context.hasMistakes = true;
    const { status, retryAfterSeconds, ...shown } = failure;
    const retryAfter: Record<string, string> =
      retryAfterSeconds === undefined ? {} : { "Retry-After": String(retryAfterSeconds) };
    return data({ lostLink: shown, change: null }, { status, headers: { ...linkPageHeaders, ...retryAfter } });
  }
  const { token, form } = await guardLinkPost(request, context);
  const page = networkAddress(token);
  switch (form.get("intent")) {
    case "confirm": {
      const isConfirmed = await confirmMembership(site, token, String(form.get("shown") ?? ""));
      return redirectTo(site, page, isConfirmed ? "networkJoined" : "networkAskedMeanwhile");
    }
    case "discard":
      await discardPending(site, token);
      return redirectTo(site, page, "networkKept");
    case "leave":
      await leaveNetwork(site, token);
      return redirectTo(site, "/network", "networkLeft");
    case "change": {
      const submission = parseWithZod(form, { schema: networkMemberSchema });
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
      throw new Response(null, { status: 400, statusText: "Bad Request", headers: linkPageHeaders });
  }
}

function redirectTo(site: SiteContext, page: string, message: MessageKey) {
  return redirect(site.notices.addTo(page, message), { status: 303, headers: linkPageHeaders });
}

export const ErrorBoundary = NetworkProblem;

export default function NetworkPage() {
  const { view, hasLeft } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  if (view === null) return hasLeft ? <LeftPage /> : <LostLink failure={result?.lostLink ?? null} />;
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
