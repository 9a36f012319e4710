import { createHmac, randomBytes } from "node:crypto";
import { networkKey, rateLimitKey } from "~/lib/http/client-address";
import type { Secrets } from "../config/secrets.server";
import type { Settings } from "../config/settings.server";

/**
 * Identifies a client to the functions that send mail on its behalf, so that they can count it without knowing its
 * address. The header holds HMACs of the client's rate limit key and of its network. Without the secret they can be
 * neither forged nor reversed.
 * @param address the client's; null when it is unknown, and all unknown clients count as one
 * @returns headers for the function call
 */
export function clientCodeHeader(
  { settings, secrets }: { settings: Pick<Settings, "postRateLimit">; secrets: Secrets },
  address: string | null,
): Record<string, string> {
  // Without a limit per client, each post counts as a separate client, as for the post limit.
  if (settings.postRateLimit === 0) return { "x-client-code": randomBytes(32).toString("base64url") };
  if (address === null) return {};
  const network = networkKey(address);
  const subjects = [rateLimitKey(address), ...(network === null ? [] : [network])];
  const codes = subjects.map((subject) =>
    createHmac("sha256", secrets.derive("rate-limits")).update(`acknowledgements\0${subject}`).digest("base64url"),
  );
  return { "x-client-code": codes.join(" ") };
}
