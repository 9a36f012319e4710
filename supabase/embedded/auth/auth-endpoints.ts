/**
 * Endpoints of the sign-in service that this product needs: sign-in and sign-out, refresh, reading and changing one's
 * own account, second factors (factors/factor-endpoints.ts). Sign-up is listed because lite rejects it as GoTrue does.
 */
const offered =
  /^\/auth\/v1\/(?:token|logout|user|reauthenticate|signup|health|settings|\.well-known\/[\w.-]+|factors(?:\/[\w/-]+)?)$/;

/**
 * Rejects requests to closed endpoints. Returns null for those that the sign-in service may handle.
 *
 * Sign-in by email link or by another provider is closed: this backend sends no auth mail, and lite's /otp creates an
 * account for any address even though sign-up is off.
 */
export function refuseAuthEndpoint(path: string): Response | null {
  if (offered.test(path)) return null;
  // The admin endpoints that the edge functions need are served earlier (admin-users.ts).
  if (/^\/auth\/v1\/admin(?:\/|$)/.test(path)) return Response.json({ message: "Not found" }, { status: 404 });
  const body = { code: 422, error_code: "otp_disabled", msg: "Only sign-in by password is available" };
  return Response.json(body, { status: 422 });
}
