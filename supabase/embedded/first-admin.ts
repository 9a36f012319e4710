import { findPasswordFault, generatePassword } from "./passwords.ts";
import type { Users } from "./users.ts";

/** Who may sign in first. Without a password one is generated. */
export interface FirstAdmin {
  email: string;
  password?: string;
}

/**
 * Creates the first administrator, confirmed, unless somebody has that address already (whose password then stays).
 * @returns address and password only when the password was generated in this call: it is shown once and kept nowhere
 * @throws when the given password is too weak
 */
export async function ensureFirstAdmin(
  users: Users,
  admin: FirstAdmin,
): Promise<{ email: string; password: string } | null> {
  const email = admin.email.trim().toLowerCase();
  if (await users.findByEmail(email)) return null;
  const fault = admin.password === undefined ? null : findPasswordFault(admin.password);
  if (fault) throw new Error(`The first administrator's password is refused. ${fault}`);
  const password = admin.password ?? generatePassword();
  await users.create({ email, password, emailConfirmed: true });
  return admin.password === undefined ? { email, password } : null;
}
