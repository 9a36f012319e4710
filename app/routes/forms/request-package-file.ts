import { type ActionFunctionArgs, redirect } from "@remix-run/node";
import { answerWithPackage, packageFormat } from "~/features/data-rights/data-package.server";
import { fetchPackage } from "~/features/data-rights/package-links.server";
import { getSite } from "~/server/default-site.server";
import { guardLinkPost, linkPageHeaders } from "~/server/forms/secret-link.server";

/** Hands the data behind a link over as a file. A POST, because the log keeps every download. */
export async function action({ request, context }: ActionFunctionArgs) {
  const { token, form } = await guardLinkPost(request, context);
  const format = packageFormat.catch("html").parse(form.get("format"));
  const site = getSite(context);
  const content = await fetchPackage(site, token);
  if (content !== null) return answerWithPackage(site.settings, content, format, new Headers(linkPageHeaders));
  // The page of the link says what is wrong with it.
  const page = `/data-rights/package?token=${encodeURIComponent(token)}`;
  return redirect(page, { status: 303, headers: linkPageHeaders });
}
