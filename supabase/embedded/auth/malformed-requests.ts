import { z } from "zod";

// PostgreSQL cannot store NUL.
const text = z
  .string()
  .refine((value) => !value.includes("\0"))
  .optional();
const names = [
  "email",
  "phone",
  "password",
  "current_password",
  "refresh_token",
  "nonce",
  "auth_code",
  "code_verifier",
];
const bodySchema = z.looseObject(Object.fromEntries(names.map((name) => [name, text])));

/**
 * Refuses a request to the sign-in service with a credential that is no text, which lite would answer with 500.
 * @returns null for any other request, also for one without JSON, which lite refuses itself
 */
export async function refuseMalformedBody(request: Request): Promise<Response | null> {
  if (request.method === "GET" || request.method === "HEAD") return null;
  const sent = await request.clone().text();
  let body: unknown;
  try {
    body = JSON.parse(sent);
  } catch {
    return null;
  }
  if (bodySchema.safeParse(body).success) return null;
  const refusal = { code: 400, error_code: "validation_failed", msg: "A value has the wrong type" };
  return Response.json(refusal, { status: 400 });
}

/**
 * Refuses a bearer token that is neither the API key nor a signed token, as PostgREST does. lite would take the caller of
 * one without a signature (`alg: none`) for an anonymous visitor.
 * @returns null for any other request
 */
export function refuseUnsignedToken({ headers }: Request): Response | null {
  const token = /^Bearer +(\S.*)$/i.exec(headers.get("authorization") ?? "")?.[1];
  if (token === undefined || token === headers.get("apikey") || signedToken.test(token)) return null;
  const refusal = { code: "PGRST301", details: null, hint: null, message: "The token is not signed" };
  return Response.json(refusal, { status: 401, headers: { "WWW-Authenticate": "Bearer" } });
}

const signedToken = /^[\w-]+\.[\w-]+\.[\w-]+$/;
