import { type ClientCodes, clientCodes } from "../client-codes.ts";
import { BackendUnavailable, secretBackend } from "./backend.ts";
import { answer, readJson } from "./http.ts";
import { logEvent, setting } from "./runtime.ts";
import { isSignedBySite, signatureHeader } from "./site-signature.ts";

/** A call of a function that strangers can reach, and what may be believed of it. */
export interface SiteCall {
  /** the function's name */
  name: string;
  /** the JSON that was sent, unchecked */
  value: unknown;
  /** whether it comes from the site, and nothing in it was changed */
  isSigned: boolean;
  /** codes of the visitor on whose behalf it was made */
  codes: ClientCodes;
  /** the visitor's address as the site sees it, unchecked; null where nobody names one */
  address: string | null;
}

/**
 * Reads a call of the site, or of anybody with the publishable key. Where SITE_KEY is set, code and address of an unsigned call
 * are ignored; where it is not, nobody can sign, and they are taken as hints.
 * @param name of the function
 * @returns the call, or the refusal of a body that is no JSON
 */
export async function readSiteCall(request: Request, name: string): Promise<SiteCall | { refusal: Response }> {
  const body = await readJson(request);
  if ("refusal" in body) return body;
  const siteKey = setting("SITE_KEY");
  const { headers } = request;
  const isSigned = siteKey !== undefined && (await isSignedBySite(siteKey, { name, headers, body: body.bytes }));
  if (!isSigned && headers.has(signatureHeader)) logEvent({ event: "site-signature-refused", function: name });
  const isBelieved = isSigned || siteKey === undefined;
  return {
    name,
    value: body.value,
    isSigned,
    codes: isBelieved ? clientCodes(request) : { client: null, network: null },
    address: isBelieved ? headers.get("x-client-address") : null,
  };
}

/**
 * Counts an unsigned call: 20 an hour for each function, from all strangers together (migration "signed_calls").
 * @returns 429 when there were as many, else null
 * @throws BackendUnavailable
 */
export async function refuseExcess({ name, isSigned }: SiteCall): Promise<Response | null> {
  if (isSigned) return null;
  const { data, error } = await secretBackend().rpc("count_unsigned_call", { function_name: name });
  if (error) throw new BackendUnavailable(error.code || "unreachable");
  return data === null ? null : answer(429, { error: "unsigned" }, { "Retry-After": String(data) });
}
