import { type ActionFunctionArgs, type LoaderFunctionArgs, data, redirect } from "@remix-run/node";
import { useActionData } from "@remix-run/react";
import { logoutPage } from "~/content/pages/logout";
import { unlistedMetaFor } from "~/content/page-meta";
import { signOut } from "~/features/auth/sign-in/sign-out.server";
import { createAdminHeaders } from "~/lib/http/admin-headers";
import { passHeaders } from "~/lib/pages/route-headers";
import { getSite } from "~/server/default-site.server";
import { guardPost } from "~/server/forms/guard.server";
import { Notice } from "~/ui/frame/notice";

export const headers = passHeaders;

export const meta = unlistedMetaFor(logoutPage);

/** Responds with 404 to a GET: only a form posts here. */
export function loader({ context }: LoaderFunctionArgs) {
  if (context.hasMistakes) return null;
  throw new Response(null, { status: 404, statusText: "Not Found" });
}

export async function action({ request, context }: ActionFunctionArgs) {
  const site = getSite(context);
  const { rate } = await guardPost(request, context);
  const signedOut = await signOut(site, request, rate);
  if (signedOut === null) {
    context.hasMistakes = true;
    const wait = { "Cache-Control": "no-store", "Retry-After": String(rate.allowed ? 60 : rate.retryAfterSeconds) };
    return data({ isSignedIn: true }, { status: 429, headers: wait });
  }
  const notice = signedOut.isEnded ? "loggedOut" : "loggedOutHere";
  return redirect(site.notices.addTo("/login", notice), {
    status: 303,
    headers: createAdminHeaders(signedOut.setCookies),
  });
}

/**
 * Shows the page after too many log-outs. A route without a component would return bare data instead of the not-found
 * page.
 */
export default function LogoutPage() {
  if (!useActionData<typeof action>()) return null;
  return (
    <div className="wrap py-12 *:max-w-lg md:py-20">
      <h1 className="mb-6 text-(length:--text-title)">{logoutPage.title}</h1>
      <Notice tone="error" title={logoutPage.tooMany.title} text={logoutPage.tooMany.text} />
      <form method="post" action="/logout" className="mt-8">
        <button className="button">{logoutPage.again}</button>
      </form>
    </div>
  );
}
