import { type ClientCodes, readClientCodes } from "../client-codes.ts";
import { BackendUnavailable, secretBackend } from "./backend.ts";
import { respond, readJson } from "./http.ts";
import { logEvent, setting } from "./runtime.ts";
import { isSignedBySite, signatureHeader } from "./site-signature.ts";

/** A call of a publicly reachable function, and how far it can be trusted. */
export interface SiteCall {
  /** the function's name */
  name: string;
  /** the parsed JSON, not validated */
  value: unknown;
  /** whether the site signed it */
  isSigned: boolean;
  /** codes of the visitor on whose behalf it was made */
  codes: ClientCodes;
  /** the visitor's address as the site sees it, not validated; null when not given */
  address: string | null;
}

/**
 * Reads a call from the site or from any client with the publishable key. With SITE_KEY set, ignores the client code
 * and address of an unsigned call; without it no call can be signed, and they are taken as hints.
 * @param name of the function
 * @returns the call, or the refusal of a body that is not JSON
 */
export async function readSiteCall(request: Request, name: string): Promise<SiteCall | { refusal: Response }> {
  const body = await readJson(request);
  if ("refusal" in body) return body;
  const siteKey = setting("SITE_KEY");
  const { headers } = request;
  const isSigned = siteKey !== undefined && isSignedBySite(siteKey, { name, headers, body: body.bytes });
  if (!isSigned && headers.has(signatureHeader)) logEvent({ event: "site-signature-refused", function: name });
  const isTrusted = isSigned || siteKey === undefined;
  return {
    name,
    value: body.value,
    isSigned,
    codes: isTrusted ? readClientCodes(request) : { client: null, network: null },
    address: isTrusted ? headers.get("x-client-address") : null,
  };
}

/**
 * Counts an unsigned call: 20 an hour for each function, shared by all unsigned callers (migration "mail").
 * @returns 429 above that, otherwise null
 * @throws BackendUnavailable
 */
export async function refuseExcess({ name, isSigned }: SiteCall): Promise<Response | null> {
  if (isSigned) return null;
  const { data, error } = await secretBackend().rpc("count_unsigned_call", { function_name: name });
  if (error) throw new BackendUnavailable(error.code || "unreachable");
  return data === null ? null : respond(429, { error: "unsigned" }, { "Retry-After": String(data) });
}
