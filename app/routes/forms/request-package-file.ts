import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { createPackageResponse, packageFormat } from "~/features/data-rights/data-package.server";
import { fetchPackage } from "~/features/data-rights/links.server";
import { linkAddress } from "~/lib/pages/link-address";
import { getSite } from "~/server/default-site.server";
import { guardLinkPost, leadToLinkPage, linkPageHeaders, readLinkToken } from "~/server/forms/secret-link.server";

/** Redirects a GET to the link's page, which has the download buttons. */
export function loader({ request, context }: LoaderFunctionArgs) {
  return leadToLinkPage(context, linkAddress("/data-rights/package", readLinkToken(request)));
}

/** Downloads the data behind a link as a file. Uses POST, because every download is logged. */
export async function action({ request, context }: ActionFunctionArgs) {
  const { token, form } = await guardLinkPost(request, context);
  const format = packageFormat.catch("html").parse(form.get("format"));
  const site = getSite(context);
  const content = await fetchPackage(site, token);
  if (content !== null) return createPackageResponse(site.settings, content, format, new Headers(linkPageHeaders));
  // The link's page says what is wrong with it.
  return leadToLinkPage(context, linkAddress("/data-rights/package", token));
}
