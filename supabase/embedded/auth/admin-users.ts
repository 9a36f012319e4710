import { createHash, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { findPasswordFault } from "../../../app/lib/passwords/password-rule.ts";
import { findPasswordWords } from "../../../app/lib/passwords/password-words.ts";
import type { Users } from "./users.ts";

/** Handles requests to `/auth/v1/admin/users`. Returns null for requests that it does not serve. */
export type AdminUsersHandler = (request: Request) => Promise<Response> | null;

/**
 * Creates accounts and sets passwords as GoTrue's admin API does, for holders of the secret key: the edge functions.
 * Serves only `POST /admin/users` and `PUT /admin/users/:id`, with the few fields that the functions send. Call it
 * without holding the mutex.
 */
export function createAdminUsers(users: Users, secretKey: string): AdminUsersHandler {
  return (request) => {
    const id = /^\/auth\/v1\/admin\/users(?:\/([^/]+))?$/.exec(new URL(request.url).pathname);
    const isOffered = id !== null && request.method === (id[1] === undefined ? "POST" : "PUT");
    if (!isOffered || !holdsKey(request, secretKey)) return null;
    return handle(users, id[1], request);
  };
}

async function handle(users: Users, id: string | undefined, request: Request): Promise<Response> {
  const body: unknown = await request.json().catch(() => null);
  return id === undefined ? createUser(users, body) : changeUser(users, id, body);
}

const newUserSchema = z.strictObject({
  email: z.string().trim().toLowerCase().max(255).regex(z.regexes.html5Email),
  password: z.string(),
  // Nothing here could confirm an address later.
  email_confirm: z.literal(true),
});

const changedUserSchema = z.strictObject({ password: z.string(), email_confirm: z.literal(true).optional() });

async function createUser(users: Users, body: unknown): Promise<Response> {
  const { data: user } = newUserSchema.safeParse(body);
  if (!user) return refuse(400, "validation_failed", "An email, a password and email_confirm are needed");
  const fault = await findPasswordFault(user.password, findPasswordWords(user.email));
  if (fault) return refuse(422, "weak_password", fault);
  if (await users.findByEmail(user.email)) return emailExists();
  try {
    const { id } = await users.create(user);
    return Response.json(await users.describe(id));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "23505") return emailExists();
    throw error;
  }
}

async function changeUser(users: Users, id: string, body: unknown): Promise<Response> {
  const { data: change } = changedUserSchema.safeParse(body);
  if (!change) return refuse(400, "validation_failed", "Only the password can be changed");
  if (!z.guid().safeParse(id).success) return refuse(404, "validation_failed", "user_id must be an UUID");
  const user = await users.describe(id);
  if (!user) return refuse(404, "user_not_found", "User not found");
  const fault = await findPasswordFault(change.password, findPasswordWords(String(user["email"])));
  if (fault) return refuse(422, "weak_password", fault);
  await users.setPassword(id, change.password, "link");
  return Response.json(await users.describe(id));
}

function emailExists(): Response {
  return refuse(422, "email_exists", "A user with this email address has already been registered");
}

function refuse(code: number, errorCode: string, msg: string): Response {
  return Response.json({ code, error_code: errorCode, msg }, { status: code });
}

/** A user's own bearer token identifies the caller and takes precedence over the `apikey` header. */
function holdsKey(request: Request, secretKey: string): boolean {
  const token = /^Bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
  const [offered, expected] = [token ?? request.headers.get("apikey") ?? "", secretKey].map((key) =>
    createHash("sha256").update(key).digest(),
  );
  return timingSafeEqual(offered!, expected!);
}
