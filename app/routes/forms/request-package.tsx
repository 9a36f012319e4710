import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { linkMetaFor } from "~/content/page-meta";
import { linkProblems, packagePage } from "~/content/privacy/data-rights-links";
import { LinkPage } from "~/ui/content/link-page";
import { LinkProblem } from "~/features/data-rights/link-problem";
import { requirePackage } from "~/features/data-rights/links.server";
import { formatDayOf } from "~/lib/dates";
import { passHeaders } from "~/lib/pages/route-headers";
import { getSite } from "~/server/default-site.server";
import { guardLinkVisit, showLinkPage } from "~/server/forms/secret-link.server";

export const headers = passHeaders;

export const meta = linkMetaFor(linkProblems, packagePage);

/** Shows none of the data, because programs that check mail follow links. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const token = await guardLinkVisit(request, context);
  const site = getSite(context);
  const until = formatDayOf(await requirePackage(site, token), site.settings.replyClock.timeZone);
  return showLinkPage({ token, until });
}

export const ErrorBoundary = LinkProblem;

export default function RequestPackagePage() {
  const { token, until } = useLoaderData<typeof loader>();
  return (
    <LinkPage title={packagePage.title} lead={packagePage.lead(until)}>
      <form method="post" action="/data-rights/package/file" className="mt-10 flex flex-wrap gap-3">
        <input type="hidden" name="token" value={token} />
        <button name="format" value="html" className="button">
          {packagePage.html}
        </button>{" "}
        <button name="format" value="json" className="button button-quiet">
          {packagePage.json}
        </button>
      </form>
      <p className="mt-10 text-(--muted)">{packagePage.warning}</p>
    </LinkPage>
  );
}
