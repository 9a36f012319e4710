import { type ActionFunctionArgs, redirect } from "@remix-run/node";
import { createPackageResponse, packageFormat } from "~/features/data-rights/data-package.server";
import { fetchPackage } from "~/features/data-rights/package-links.server";
import { getSite } from "~/server/default-site.server";
import { guardLinkPost, linkPageHeaders } from "~/server/forms/secret-link.server";

/** Downloads the data behind a link as a file. Uses POST, because every download is logged. */
export async function action({ request, context }: ActionFunctionArgs) {
  const { token, form } = await guardLinkPost(request, context);
  const format = packageFormat.catch("html").parse(form.get("format"));
  const site = getSite(context);
  const content = await fetchPackage(site, token);
  if (content !== null) return createPackageResponse(site.settings, content, format, new Headers(linkPageHeaders));
  // The link's page says what is wrong with it.
  const page = `/data-rights/package?token=${encodeURIComponent(token)}`;
  return redirect(page, { status: 303, headers: linkPageHeaders });
}
