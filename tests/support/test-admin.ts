import { hash } from "bcryptjs";

/** The admin that test products start with. */
export const testAdmin = { email: "admin@firm.example", password: "a long test passphrase" };

/**
 * A bcrypt hash that the sign-in takes as it takes the product's own, in a hundredth of the time: those take a tenth of a
 * second of a processor to make, and again at every sign-in.
 */
export function hashCheaply(password: string): Promise<string> {
  return hash(password, 4);
}
