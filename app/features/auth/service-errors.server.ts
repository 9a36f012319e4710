import { type AuthError, isAuthRetryableFetchError } from "@supabase/supabase-js";

/** The service, and not the code or password, was at fault. */
export function isServiceFailure(error: AuthError): boolean {
  return isAuthRetryableFetchError(error) || !error.status || error.status >= 500;
}

/** The service looked at the code or password and refused it; a service that has too much to do has not looked. */
export function isRefusal(error: AuthError): boolean {
  return !isServiceFailure(error) && error.status !== 429;
}
