import type { LoaderFunctionArgs } from "@remix-run/node";
import { readPicture } from "~/content/insights/insights-folder.server";
import { getSite } from "~/server/default-site.server";

/** Serves a picture that a published article shows. */
export function loader({ context, params: { file = "" } }: LoaderFunctionArgs): Response {
  const { insights } = getSite(context);
  if (!insights.list().some(({ images }) => images.includes(`images/${file}`)))
    return new Response(null, { status: 404 });
  try {
    const { type, bytes } = readPicture(insights.folder, file);
    return new Response(bytes, { headers: { "Content-Type": type, "Cache-Control": "public, max-age=3600" } });
  } catch {
    // Deleted since the articles were read.
    return new Response(null, { status: 404 });
  }
}
