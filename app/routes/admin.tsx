import { type LoaderFunctionArgs, data } from "@remix-run/node";
import { Form, useLoaderData, useNavigation } from "@remix-run/react";
import { fallbackTexts, messageTitles } from "~/content/messages";
import { unlistedMetaFor } from "~/content/page-meta";
import { adminPage } from "~/content/pages/admin";
import { InboxView } from "~/features/admin/inbox-view";
import { loadInbox } from "~/features/admin/submissions.server";
import { AdminUnavailable, requireAdmin } from "~/features/auth/require-admin.server";
import type { HydratedHandle } from "~/lib/hydration";
import { Notice, type NoticeProps } from "~/ui/notice";

export const handle: HydratedHandle = { hydrate: true };

export const meta = unlistedMetaFor(adminPage);

/** Nothing of this page may stay in any cache. */
export const headers = () => ({ "Cache-Control": "no-store" });

export async function loader({ request }: LoaderFunctionArgs) {
  try {
    const { supabase, setCookies } = await requireAdmin(request);
    const inbox = await loadInbox(supabase);
    const init = { status: inbox.outcome === "loaded" ? 200 : 503, headers: cookieHeaders(setCookies) };
    return inbox.outcome === "loaded"
      ? data({ inbox, failure: null }, init)
      : data({ inbox: null, failure: failed(messageTitles.submissionsFailed, inbox.text) }, init);
  } catch (error) {
    if (!(error instanceof AdminUnavailable)) throw error;
    return data(
      { inbox: null, failure: failed(messageTitles.adminFailed, fallbackTexts.adminFailed) },
      { status: 503, headers: cookieHeaders([]) },
    );
  }
}

export default function AdminPage() {
  const { inbox, failure } = useLoaderData<typeof loader>();
  const isLoading = useNavigation().state !== "idle";
  return (
    <div className="wrap py-10 md:py-16">
      <div className="flex flex-wrap items-end justify-between gap-6">
        <div>
          <h1 className="text-(length:--text-title)">{adminPage.title}</h1>
          <h2 className="mt-2 font-text text-lg font-normal tracking-normal text-(--muted)">{adminPage.subtitle}</h2>
        </div>
        <Form method="post" action="/logout">
          <button className="button button-quiet">{adminPage.logOut}</button>
        </Form>
      </div>
      <output className="mt-4 block h-6">
        {isLoading ? (
          <span className="flex items-center gap-3">
            <span className="spinner" aria-hidden="true" /> {adminPage.loading}
          </span>
        ) : null}
      </output>
      <div className="mt-4 grid gap-6">
        {failure ? <Notice {...failure} /> : null}
        {inbox ? <InboxView inbox={inbox} /> : null}
      </div>
    </div>
  );
}

const failed = (title: string, text: string): NoticeProps => ({ tone: "error", title, text });

function cookieHeaders(setCookies: string[]): Headers {
  const answer = new Headers({ "Cache-Control": "no-store" });
  for (const value of setCookies) answer.append("Set-Cookie", value);
  return answer;
}
