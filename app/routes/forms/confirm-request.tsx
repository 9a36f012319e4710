import { type ActionFunctionArgs, type LoaderFunctionArgs, data, redirect } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { confirmPage } from "~/content/privacy/data-rights-links";
import { toConfirmationView } from "~/features/data-rights/request-views";
import { LinkPage } from "~/features/data-rights/link-page";
import { LinkProblem, linkPageMeta } from "~/features/data-rights/link-problem";
import { confirmRequest, requireConfirmation } from "~/features/data-rights/links.server";
import { RequestFacts } from "~/features/data-rights/request-facts";
import { passHeaders } from "~/lib/pages/route-headers";
import { getSite } from "~/server/default-site.server";
import { guardLinkPost, guardLinkVisit, linkPageHeaders } from "~/server/forms/secret-link.server";

export const headers = passHeaders;

export const meta = linkPageMeta(confirmPage);

/** Shows the data rights request to confirm. Changes nothing, because programs that check mail follow links. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const token = await guardLinkVisit(request, context);
  const confirmation = await requireConfirmation(getSite(context), token);
  return data({ token, view: toConfirmationView(confirmation) }, { headers: linkPageHeaders });
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { token } = await guardLinkPost(request, context);
  const site = getSite(context);
  await confirmRequest(site, token);
  const address = site.notices.addTo("/data-rights", "dataRightsConfirmed");
  return redirect(address, { status: 303, headers: linkPageHeaders });
}

export const ErrorBoundary = LinkProblem;

export default function ConfirmRequestPage() {
  const { token, view } = useLoaderData<typeof loader>();
  return (
    <LinkPage title={confirmPage.title} lead={confirmPage.lead}>
      <RequestFacts request={view} />
      <form method="post" action="/data-rights/confirm" className="mt-10">
        <input type="hidden" name="token" value={token} />
        <button className="button w-full sm:w-auto">{confirmPage.confirm}</button>
      </form>
      <p className="mt-10 text-(--muted)">{confirmPage.otherwise}</p>
    </LinkPage>
  );
}
