import { createHash, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { findPasswordFault } from "./passwords.ts";
import { toSqlError, SqlError } from "./sql-error.ts";
import type { UserChanges, UserRow, Users } from "./users.ts";

/** Answers /auth/v1/admin/users as GoTrue does, which lite lacks, so that one script serves both backends. */
export type AdminUsersEndpoint = (request: Request) => Promise<Response>;

/** True for the path of the admin endpoints; everything else under /auth/v1 is lite's. */
export function isAdminPath(path: string): boolean {
  return /^\/auth\/v1\/admin(?:\/|$)/.test(path);
}

/**
 * Create, list, get, update and delete of users, for holders of the secret key only.
 * Answers 401 or 403 to any other key, 404 to the endpoints of GoTrue's that are not here.
 */
export function adminUsersEndpoint(users: Users, secretKey: string): AdminUsersEndpoint {
  return async (request) => {
    try {
      requireSecretKey(request, secretKey);
      return await answer(users, request);
    } catch (error) {
      const failure = toSqlError(error);
      if (failure instanceof Refusal) return failure.response;
      if (failure instanceof SqlError && failure.code === "23505") return emailExists().response;
      if (failure instanceof SqlError) return new Refusal(500, "unexpected_failure", "Database error").response;
      throw error;
    }
  };
}

async function answer(users: Users, request: Request): Promise<Response> {
  const url = new URL(request.url);
  const path = url.pathname.slice("/auth/v1/admin".length);
  if (path === "/users" && request.method === "GET") return listUsers(users, url);
  if (path === "/users" && request.method === "POST") return createUser(users, request);
  const id = /^\/users\/([0-9a-f-]{36})$/i.exec(path)?.[1];
  if (id === undefined) throw new Refusal(404, "not_found", "Not found");
  if (!z.guid().safeParse(id).success) throw new Refusal(404, "validation_failed", "user_id must be an UUID");
  if (request.method === "GET") return found(await users.find(id));
  if (request.method === "PUT") return found(await users.update(id, await readChanges(request)));
  if (request.method === "DELETE") return deleteUser(users, id, request);
  throw new Refusal(405, "method_not_allowed", "Method not allowed");
}

async function listUsers(users: Users, url: URL): Promise<Response> {
  const page = pageNumber(url, "page", 1);
  const perPage = Math.min(pageNumber(url, "per_page", 50), 1000);
  const { users: rows, total } = await users.list(page, perPage);
  const last = Math.max(1, Math.ceil(total / perPage));
  const link = (target: number, rel: string) =>
    `<${url.origin}${url.pathname}?page=${target}&per_page=${perPage}>; rel="${rel}"`;
  const links = page < last ? [link(page + 1, "next"), link(last, "last")] : [link(last, "last")];
  return Response.json(
    { users: rows.map(toGoTrueUser), aud: "authenticated" },
    { headers: { "x-total-count": String(total), link: links.join(", ") } },
  );
}

async function createUser(users: Users, request: Request): Promise<Response> {
  const { email, ...changes } = await readChanges(request);
  if (email === undefined) throw invalid("Cannot create a user without an email");
  return found(await users.create({ email, ...changes }));
}

async function deleteUser(users: Users, id: string, request: Request): Promise<Response> {
  const options = z.object({ should_soft_delete: z.boolean().optional() }).safeParse(await readJson(request));
  if (options.data?.should_soft_delete) throw invalid("Soft deletion is not available on the embedded backend");
  found(await users.erase(id));
  return Response.json({});
}

const changesSchema = z.object({
  email: z.string().trim().toLowerCase().max(255).pipe(z.email()).optional(),
  password: z.string().optional(),
  email_confirm: z.boolean().optional(),
  user_metadata: z.record(z.string(), z.unknown()).optional(),
  app_metadata: z.record(z.string(), z.unknown()).optional(),
});

/** What lite would not enforce, refused rather than accepted without effect: a ban that bans nobody is a trap. */
const notAvailable = ["id", "phone", "phone_confirm", "role", "ban_duration", "password_hash", "nonce"];

async function readChanges(request: Request): Promise<UserChanges> {
  const body = await readJson(request);
  const refused = notAvailable.find((name) => typeof body === "object" && body !== null && name in body);
  if (refused) throw invalid(`${refused} is not available on the embedded backend`);
  const parsed = changesSchema.safeParse(body);
  if (!parsed.success) throw invalid(`Unable to validate ${parsed.error.issues[0]?.path.join(".") || "the request"}`);
  const { email, password, email_confirm, user_metadata, app_metadata } = parsed.data;
  const fault = password === undefined ? null : await findPasswordFault(password);
  if (fault) throw new Refusal(422, "weak_password", fault.text, { weak_password: { reasons: [fault.reason] } });
  return { email, password, emailConfirmed: email_confirm, userMetadata: user_metadata, appMetadata: app_metadata };
}

async function readJson(request: Request): Promise<unknown> {
  try {
    return JSON.parse((await request.text()) || "{}");
  } catch {
    throw new Refusal(400, "bad_json", "Could not parse request body as JSON");
  }
}

function pageNumber(url: URL, name: string, fallback: number): number {
  const value = Number(url.searchParams.get(name) || fallback);
  if (!Number.isSafeInteger(value) || value < 1 || value > 1_000_000) throw invalid(`Bad pagination parameter ${name}`);
  return value;
}

function found(user: UserRow | null): Response {
  if (!user) throw new Refusal(404, "user_not_found", "User not found");
  return Response.json(toGoTrueUser(user));
}

function toGoTrueUser({ raw_app_meta_data, raw_user_meta_data, email, phone, ...user }: UserRow) {
  return {
    ...user,
    email: email ?? "",
    phone: phone ?? "",
    confirmed_at: user.email_confirmed_at,
    app_metadata: raw_app_meta_data,
    user_metadata: raw_user_meta_data,
    is_anonymous: false,
  };
}

function requireSecretKey(request: Request, secretKey: string): void {
  const key = request.headers.get("apikey") ?? "";
  const bearer = request.headers.get("authorization")?.replace(/^Bearer\s+/i, "");
  if (!key) throw new Refusal(401, "no_authorization", "This endpoint requires a valid Bearer token");
  if (!sameSecret(key, secretKey) || (bearer !== undefined && !sameSecret(bearer, secretKey))) {
    throw new Refusal(403, "not_admin", "User not allowed");
  }
}

/** Of equal length once hashed, so that the comparison's time tells nothing. */
function sameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(sha256(given), sha256(expected));
}

function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

class Refusal extends Error {
  readonly response: Response;

  constructor(status: number, code: string, message: string, more: Record<string, unknown> = {}) {
    super(code);
    this.response = Response.json({ code: status, error_code: code, msg: message, ...more }, { status });
  }
}

function invalid(message: string): Refusal {
  return new Refusal(422, "validation_failed", message);
}

function emailExists(): Refusal {
  return new Refusal(422, "email_exists", "A user with this email address has already been registered");
}
