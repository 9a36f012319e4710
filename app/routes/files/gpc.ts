import { gpcSupportedSince } from "~/content/cookie-registry";

/** Declares that this site honors Global Privacy Control (its specification, section 4). */
export function loader() {
  return Response.json(
    { gpc: true, lastUpdate: gpcSupportedSince },
    { headers: { "Cache-Control": "public, max-age=86400" } },
  );
}
