import { type AuthError, isAuthRetryableFetchError } from "@supabase/supabase-js";

/** Checks if the service failed, as opposed to a wrong code or password. */
export function isServiceFailure(error: AuthError): boolean {
  return isAuthRetryableFetchError(error) || !error.status || error.status >= 500;
}

/** Checks if the service rejected the code or password. A 429 does not count: the service has not checked it. */
export function isRefusal(error: AuthError): boolean {
  return !isServiceFailure(error) && error.status !== 429;
}
