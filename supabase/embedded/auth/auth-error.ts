/** Responds in the form of GoTrue's errors. */
export function respondWithAuthError(status: number, code: string, msg: string, more: object = {}): Response {
  return Response.json({ code: status, error_code: code, msg, ...more }, { status });
}

const invalid = (msg: string) => respondWithAuthError(400, "validation_failed", msg);

/** Refusals of the sign-in service. */
export const authErrors = {
  invalid,
  wrongType: () => invalid("A value has the wrong type"),
  noJson: () => respondWithAuthError(400, "bad_json", "Could not parse request body as JSON"),
  grant: () => respondWithAuthError(400, "invalid_credentials", "unsupported_grant_type"),
  credentials: () => respondWithAuthError(400, "invalid_credentials", "Invalid login credentials"),
  refreshToken: () =>
    respondWithAuthError(400, "refresh_token_not_found", "Invalid Refresh Token: Refresh Token Not Found"),
  noToken: () => respondWithAuthError(401, "no_authorization", "This endpoint requires a valid Bearer token"),
  badToken: (reason: string) =>
    respondWithAuthError(403, "bad_jwt", `invalid JWT: unable to parse or verify signature, ${reason}`),
  noSession: () =>
    respondWithAuthError(403, "session_not_found", "Session from session_id claim in JWT does not exist"),
  level: () =>
    respondWithAuthError(
      401,
      "insufficient_aal",
      "AAL2 session is required to update email or password when MFA is enabled.",
    ),
  weakPassword: (msg: string) =>
    respondWithAuthError(422, "weak_password", msg, { weak_password: { reasons: ["length"] } }),
  samePassword: () =>
    respondWithAuthError(422, "same_password", "New password should be different from the old password."),
  method: () => respondWithAuthError(405, "validation_failed", "Method not allowed"),
};
