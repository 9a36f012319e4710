import { type AuthError, isAuthRetryableFetchError } from "@supabase/supabase-js";

/** Checks if the service failed, as opposed to a wrong code or password. */
export function isServiceFailure(error: AuthError): boolean {
  return isAuthRetryableFetchError(error) || !error.status || error.status >= 500;
}

/** Seconds to wait after the service's 429, which names no time. */
export const busySeconds = 60;

/** Checks if the service has too many calls. Then it has not checked the code or password. */
export function isBusy(error: AuthError): boolean {
  return error.status === 429;
}

/** Checks if the service rejected the code or password. */
export function isRefusal(error: AuthError): boolean {
  return !isServiceFailure(error) && !isBusy(error);
}
