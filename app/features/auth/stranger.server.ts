import type { TurnAway } from "~/server/http/answer-at-once.server";
import type { SiteContext } from "~/server/site-context.server";

/**
 * Sends strangers from the firm's own pages to the sign-in page, as `requireAdmin` would, before anything is rendered: a
 * request without so much as a session's cookie has none, and most of them are robots'.
 */
export async function createTurnAway({ cookies, flash }: SiteContext): Promise<TurnAway> {
  const sessionName = cookies.name("adminSession");
  const redirect = {
    Location: "/login",
    "Cache-Control": "no-store",
    "Set-Cookie": await flash.set("loginRequired"),
  };
  return (pattern, headers) => {
    const isOwn = pattern === "/admin" || pattern.startsWith("/admin/");
    return isOwn && !headers.cookie?.includes(sessionName) ? redirect : null;
  };
}
