import { lastingNotices } from "~/lib/pages/notice-parameter";
import type { TurnAway } from "~/server/http/answer-at-once.server";
import type { SiteContext } from "~/server/site-context.server";
import { explainNoSession } from "./signed-in.server";

/**
 * Sends strangers from the firm's own pages to the sign-in page, as `requireAdmin` would, before anything is rendered: a
 * request without so much as a session's cookie has none, and most of them are robots'.
 */
export function createTurnAway(site: SiteContext): TurnAway {
  const sessionName = site.cookies.name("adminSession");
  return (pattern, { url = "", headers }) => {
    const isOwn = pattern === "/admin" || pattern.startsWith("/admin/");
    if (!isOwn || headers.cookie?.includes(sessionName)) return null;
    return { Location: lastingNotices[explainNoSession(site, url)], "Cache-Control": "no-store" };
  };
}
