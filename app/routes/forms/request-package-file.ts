import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { createPackageResponse, packageFormat } from "~/features/data-rights/data-package.server";
import { fetchPackage } from "~/features/data-rights/package-links.server";
import { getSite } from "~/server/default-site.server";
import { guardLinkPost, linkPageHeaders, readLinkToken } from "~/server/forms/secret-link.server";

/** Redirects a GET to the link's page, which has the download buttons. */
export function loader({ request }: LoaderFunctionArgs) {
  return redirect(packagePage(readLinkToken(request)), { status: 303, headers: linkPageHeaders });
}

/** Downloads the data behind a link as a file. Uses POST, because every download is logged. */
export async function action({ request, context }: ActionFunctionArgs) {
  const { token, form } = await guardLinkPost(request, context);
  const format = packageFormat.catch("html").parse(form.get("format"));
  const site = getSite(context);
  const content = await fetchPackage(site, token);
  if (content !== null) return createPackageResponse(site.settings, content, format, new Headers(linkPageHeaders));
  // The link's page says what is wrong with it.
  return redirect(packagePage(token), { status: 303, headers: linkPageHeaders });
}

function packagePage(token: string): string {
  return `/data-rights/package?token=${encodeURIComponent(token)}`;
}
