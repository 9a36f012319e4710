import { z } from "zod";

const claimsSchema = z.object({
  session_id: z.string().catch(""),
  amr: z.array(z.object({ method: z.string(), timestamp: z.number() })).catch([]),
});

/** Session id and authentication methods from an access token; times in seconds since 1970. */
export type SessionClaims = z.output<typeof claimsSchema>;

/**
 * Reads the claims of an access token without checking its signature: the authentication service has already confirmed
 * its user.
 * @returns empty claims for anything that is not a token
 */
export function readSessionClaims(accessToken: string): SessionClaims {
  try {
    const payload = Buffer.from(accessToken.split(".")[1] ?? "", "base64url").toString();
    return claimsSchema.parse(JSON.parse(payload));
  } catch {
    return { session_id: "", amr: [] };
  }
}
