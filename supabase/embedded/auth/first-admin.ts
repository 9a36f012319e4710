import { findPasswordFault } from "../../../app/lib/passwords/password-rule.ts";
import { findPasswordWords } from "../../../app/lib/passwords/password-words.ts";
import type { BackendLog } from "../log.ts";
import { generatePassword, isPasswordOf } from "./passwords.ts";
import type { Transact, User, Users } from "./users.ts";

/** First account that may sign in. Without a password, one is generated. */
export interface FirstAdmin {
  email: string;
  password?: string;
  /** names of the firm; the password may not consist of them */
  firm?: readonly string[];
}

/** Thrown when ADMIN_PASSWORD cannot be used. The message says why and what to do. */
export class AdminPasswordRefused extends Error {
  override readonly name = "AdminPasswordRefused";
}

/** Key in app_metadata while the password is a generated one; the admin area then asks for a new one. */
export const generatedPasswordMark = "password_is_generated";

/**
 * Creates the first admin, with a confirmed address. If the account exists and ADMIN_PASSWORD has changed since the
 * last start, sets the new password. A password that was changed by other means stays: only a changed setting takes
 * effect.
 * @returns address and password only when this call generated the password: it is shown once and not stored in plain
 *   text
 * @throws AdminPasswordRefused when the given password is too weak
 */
export async function ensureFirstAdmin(
  users: Users,
  transact: Transact,
  admin: FirstAdmin,
  log: BackendLog,
): Promise<{ email: string; password: string } | null> {
  const email = admin.email.trim().toLowerCase();
  const user = await users.findByEmail(email);
  if (user?.raw_app_meta_data[revokedMark]) log({ event: "embedded.admin-email-revoked" });
  const { password } = admin;
  if (password === undefined) return user ? null : createWithGeneratedPassword(users, email);
  if (user && (await isApplied(transact, user, password, log))) return null;
  const fault = await findPasswordFault(password, findPasswordWords(email, ...(admin.firm ?? [])));
  if (fault) throw new AdminPasswordRefused(`ADMIN_PASSWORD was rejected. ${fault}`);
  if (user) await users.setPassword(user.id, password, "operator");
  await rememberApplied(transact, (user ?? (await users.create({ email, password }))).id);
  if (user) log({ event: "embedded.admin-password-changed" });
  return null;
}

/**
 * Key in app_metadata of a user whose admin role was revoked: the function bootstrap-admin does not grant the role
 * again.
 */
export const revokedMark = "admin_revoked";

async function createWithGeneratedPassword(users: Users, email: string) {
  const password = generatePassword();
  await users.create({ email, password, appMetadata: { [generatedPasswordMark]: true } });
  return { email, password };
}

/** Returns true if the setting has not changed since it was applied. */
async function isApplied(transact: Transact, { id }: User, password: string, log: BackendLog): Promise<boolean> {
  const { current, applied } = await readHashes(transact, id);
  // No hash is recorded when the password was generated.
  const known = applied ?? current;
  if (known === null || !(await isPasswordOf(known, password))) return false;
  if (applied === null) await rememberApplied(transact, id);
  else if (applied !== current) log({ event: "embedded.admin-password-outdated" });
  return true;
}

async function readHashes(transact: Transact, userId: string) {
  const { rows } = await transact((transaction) =>
    transaction.query<{ current: string | null; applied: string | null }>(
      `select u.encrypted_password as current, a.password_hash as applied
       from auth.users u left join embedded.applied_passwords a on a.user_id = u.id where u.id = $1`,
      [userId],
    ),
  );
  return rows[0] ?? { current: null, applied: null };
}

async function rememberApplied(transact: Transact, userId: string): Promise<void> {
  await transact((transaction) =>
    transaction.query(
      `insert into embedded.applied_passwords (user_id, password_hash)
       select id, encrypted_password from auth.users where id = $1
       on conflict (user_id) do update set password_hash = excluded.password_hash`,
      [userId],
    ),
  );
}
