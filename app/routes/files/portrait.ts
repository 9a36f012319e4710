import type { LoaderFunctionArgs } from "@remix-run/node";
import { portrait } from "~/content/firm/company.server";

/**
 * Serves the founder's picture named in the facts. Its address changes with its content, so it is cached permanently
 * (RFC 8246).
 */
export function loader({ request }: LoaderFunctionArgs): Response {
  if (portrait === null || new URL(request.url).pathname !== portrait.address)
    return new Response(null, { status: 404 });
  return new Response(portrait.bytes, {
    headers: { "Content-Type": portrait.type, "Cache-Control": "public, max-age=31536000, immutable" },
  });
}
