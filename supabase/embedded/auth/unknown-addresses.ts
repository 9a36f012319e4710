import type { PGlite } from "@electric-sql/pglite";
import { z } from "zod";
import { isPasswordOf } from "./passwords.ts";

const credentialsSchema = z.object({ email: z.string(), password: z.string() });

/** Hash of a discarded password, at the cost of `hashPassword`. */
const hashOfNobody = "$2b$10$PTDyJWz73BM55HoR0tPP8eLrxvcTFkDlxFub8b/OwFF4Zlw9JXFzy";

/**
 * Passes a request to the sign-in service, and makes a sign-in cost one hash whether or not the address has an account.
 * lite compares no hash for an unknown address; the difference in time, also for requests that queue behind it, would
 * reveal to an anonymous visitor which addresses have accounts.
 */
export async function hashForUnknown(
  database: PGlite,
  request: Request,
  handle: (request: Request) => Promise<Response>,
): Promise<Response> {
  const credentials = await readCredentials(request);
  const response = await handle(request);
  if (credentials === null || response.status !== 400) return response;
  const { rows } = await database.query(
    "select 1 from auth.users where lower(email) = lower($1) and encrypted_password <> ''",
    [credentials.email],
  );
  if (rows.length === 0) await isPasswordOf(hashOfNobody, credentials.password);
  return response;
}

async function readCredentials(request: Request): Promise<z.output<typeof credentialsSchema> | null> {
  const { pathname, searchParams } = new URL(request.url);
  if (pathname !== "/auth/v1/token" || searchParams.get("grant_type") !== "password") return null;
  try {
    return credentialsSchema.safeParse(await request.clone().json()).data ?? null;
  } catch {
    return null;
  }
}
