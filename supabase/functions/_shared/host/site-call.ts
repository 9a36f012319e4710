import { z } from "zod";
import { logWithheld } from "../acknowledgement-limits.ts";
import { callBackend, codeOf } from "./backend.ts";
import { readJson, respond, respondToPosts } from "./http.ts";
import { logEvent, setting } from "./runtime.ts";
import { isSignedBySite, signatureHeader } from "./site-signature.ts";

/** Codes that identify a client when mail is counted. Only the web tier can compute them from the client's address. */
export interface ClientCodes {
  /** Code of an IPv4 address or an IPv6 /64. Null when the caller sends none; all such callers count as one client. */
  client: string | null;
  /** Code of an IPv6 /48. */
  network: string | null;
}

/** A call of a publicly reachable function, and how far it can be trusted. */
export interface SiteCall {
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
    value: body.value,
    isSigned,
    codes: isTrusted ? readClientCodes(request) : { client: null, network: null },
    address: isTrusted ? headers.get("x-client-address") : null,
  };
}

/** A function that the site calls, and any client with the publishable key may call. */
interface SiteFunction<Schema extends z.ZodType> {
  name: string;
  /** log event of a failure */
  failure: string;
  /** validates all input again */
  schema: Schema;
  /** true if the refusal of invalid input names the fields */
  namesFields?: true;
  /** true if the function refuses unsigned calls with 403, because anyone could invent what they say */
  needsSignature?: true;
  /** kind of the promised mail; a call is refused with `line-full` when no such mail could wait */
  mail?: string;
  serve(value: z.output<Schema>, call: SiteCall): Promise<Response>;
}

/**
 * Creates the edge function. It reads the call, validates it (400), and counts unsigned ones (429) before it serves the
 * rest. A failure of the backend gets 503.
 */
export function respondToSite<Schema extends z.ZodType>(options: SiteFunction<Schema>) {
  const { name, failure, schema, namesFields, needsSignature, mail, serve } = options;
  async function respondToCall(request: Request): Promise<Response> {
    const call = await readSiteCall(request, name);
    if ("refusal" in call) return call.refusal;
    if (needsSignature && !call.isSigned) return respond(403, { error: "unsigned" });
    const parsed = schema.safeParse(call.value);
    if (!parsed.success) {
      const fields = namesFields && z.flattenError(parsed.error).fieldErrors;
      return respond(400, { error: "invalid", fields });
    }
    try {
      return (call.isSigned ? null : await refuseExcess(name)) ?? (await serve(parsed.data, call));
    } catch (error) {
      if (mail === undefined || codeOf(error) !== "PT429") throw error;
      logWithheld([{ kind: mail, reason: "line-full" }]);
      return respond(429, { error: "line-full" });
    }
  }
  return respondToPosts({ failure, serve: respondToCall });
}

/** Counts an unsigned call: 20 an hour for each function, shared by all unsigned callers (migration "mail"). */
async function refuseExcess(name: string): Promise<Response | null> {
  const wait = await callBackend<number | null>("count_unsigned_call", { function_name: name });
  return wait === null ? null : respond(429, { error: "unsigned" }, { "Retry-After": String(wait) });
}

/**
 * Reads the codes in the header `x-client-code`: one, or two separated by a space. Ignores malformed values.
 *
 * Without SITE_KEY, a caller that bypasses the site can invent codes. The limits on unsigned calls, per mailbox and for
 * the whole site still apply, because they need no code.
 */
function readClientCodes(request: Request): ClientCodes {
  const [, client = null, network = null] =
    /^([\w-]{43})(?: ([\w-]{43}))?$/.exec(request.headers.get("x-client-code") ?? "") ?? [];
  return { client, network };
}
