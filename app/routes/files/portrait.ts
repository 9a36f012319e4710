import type { LoaderFunctionArgs } from "@remix-run/node";
import { portrait } from "~/content/firm/company.server";

/** The founder's picture that the facts name. Its address changes with its bytes, so that it is kept for ever (RFC 8246). */
export function loader({ request }: LoaderFunctionArgs): Response {
  if (portrait === null || new URL(request.url).pathname !== portrait.address)
    return new Response(null, { status: 404 });
  return new Response(portrait.bytes, {
    headers: { "Content-Type": portrait.type, "Cache-Control": "public, max-age=31536000, immutable" },
  });
}
