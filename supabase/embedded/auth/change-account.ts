import { z } from "zod";
import { isLongerThanHashed, minimumPasswordLength } from "../../../app/lib/passwords/password-rule.ts";
import { countCharacters } from "../../../app/lib/characters.ts";
import { authErrors } from "./auth-error.ts";
import type { AuthRequest } from "./auth-request.ts";
import { isSecondLevelDue } from "./factors/factors.ts";
import { hashPassword, isPasswordOf } from "./passwords.ts";
import { describeUser } from "./users.ts";

const changeSchema = z.object({
  password: z.string().optional(),
  data: z.record(z.string(), z.unknown()).optional(),
  // Nothing here could confirm a new address.
  email: z.undefined().optional(),
  phone: z.undefined().optional(),
});

/**
 * Changes the caller's password or their own data. As in GoTrue, a new password needs an AAL2 session when the caller has
 * a second factor (a stolen password must not lock its owner out), and ends the caller's other sessions.
 */
export async function changeAccount({ body, asCaller }: AuthRequest): Promise<Response> {
  const { data: change } = changeSchema.safeParse(body ?? {});
  const known = await asCaller(async (database, caller) => {
    const { rows } = await database.query<{ hash: string }>(
      "select encrypted_password as hash from auth.users where id = $1",
      [caller.userId],
    );
    return { hash: rows[0]?.hash ?? "", isWeak: await isSecondLevelDue(database, caller) };
  });
  if (known instanceof Response) return known;
  if (!change) return authErrors.invalid("Only the password and the user's data can be changed");
  const { password, data } = change;
  if (password !== undefined) {
    if (known.isWeak) return authErrors.level();
    if (countCharacters(password) < minimumPasswordLength)
      return authErrors.weakPassword(`Password should be at least ${minimumPasswordLength} characters.`);
    if (isLongerThanHashed(password)) return authErrors.weakPassword("Password cannot be longer than 72 bytes.");
    if (await isPasswordOf(known.hash, password)) return authErrors.samePassword();
  }
  const hash = password === undefined ? null : await hashPassword(password);
  return asCaller(async (database, caller) => {
    const { userId, sessionId } = caller;
    if (password !== undefined && (await isSecondLevelDue(database, caller))) return authErrors.level();
    // The trigger follow_new_password (sessions.sql) lets this session continue.
    await database.query("select set_config('embedded.asking_session', $1, true)", [sessionId]);
    await database.query(
      `update auth.users set updated_at = now(), encrypted_password = coalesce($2, encrypted_password),
         raw_user_meta_data = jsonb_strip_nulls(raw_user_meta_data || $3::jsonb)
       where id = $1`,
      [userId, hash, JSON.stringify(data ?? {})],
    );
    return Response.json(await describeUser(database, userId));
  });
}
