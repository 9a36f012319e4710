/**
 * The endpoints of the sign-in service that this product needs: sign in and out, refresh, read and change oneself, second
 * factors (factors/factor-endpoints.ts). Sign-up is listed because lite refuses it as GoTrue does.
 */
const offered =
  /^\/auth\/v1\/(?:token|logout|user|reauthenticate|signup|health|settings|\.well-known\/[\w.-]+|factors(?:\/[\w/-]+)?)$/;

/**
 * Answers the endpoints that stay closed; null for those that the sign-in service may answer.
 *
 * Everything by email link or by another provider is closed: no mail is sent from here, and lite's /otp creates an
 * account for any address although sign-up is off.
 */
export function refuseAuthEndpoint(path: string): Response | null {
  if (offered.test(path)) return null;
  // What of it the edge functions need is answered before (admin-users.ts).
  if (/^\/auth\/v1\/admin(?:\/|$)/.test(path)) return Response.json({ message: "Not found" }, { status: 404 });
  const body = { code: 422, error_code: "otp_disabled", msg: "Only sign-in by password is available" };
  return Response.json(body, { status: 422 });
}
