import { z } from "zod";
import { findPasswordFault } from "../../../app/lib/passwords/password-rule.ts";
import { findPasswordWords } from "../../../app/lib/passwords/password-words.ts";
import { respondWithAuthError as refuse } from "./auth-error.ts";
import type { Users } from "./users.ts";

/**
 * Creates accounts and sets passwords as GoTrue's admin API does, for holders of the secret key: the edge functions.
 * Serves only `POST /admin/users` and `PUT /admin/users/:id`, with the few fields that the functions send.
 * @param path after `/auth/v1/`
 * @returns null for any other request
 */
export function handleAdminUsers(users: Users, method: string, path: string, body: unknown): Promise<Response> | null {
  const id = /^admin\/users(?:\/([^/]+))?$/.exec(path);
  if (id === null || method !== (id[1] === undefined ? "POST" : "PUT")) return null;
  return id[1] === undefined ? createUser(users, body) : changeUser(users, id[1], body);
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
  try {
    const { id } = await users.create(user);
    return Response.json(await users.describe(id));
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "23505")) throw error;
    return refuse(422, "email_exists", "A user with this email address has already been registered");
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
