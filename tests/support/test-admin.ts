import { hash } from "bcryptjs";

/** The admin that test products start with. */
export const testAdmin = { email: "admin@firm.example", password: "a long test passphrase" };

/**
 * Makes a bcrypt hash that sign-in accepts like the product's own, in a hundredth of the time. A production hash takes
 * a tenth of a second of processor time, once to make and again at every sign-in.
 */
export function hashCheaply(password: string): Promise<string> {
  return hash(password, 4);
}
