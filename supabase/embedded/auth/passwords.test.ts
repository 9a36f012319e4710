import { hash } from "bcryptjs";
import { expect, it } from "vitest";
import { findPasswordFault } from "../../../app/lib/passwords/password-rule.ts";
import { generatePassword, hashPassword, isPasswordOf } from "./passwords.ts";

it("generates only passwords that the rules accept", async () => {
  for (let i = 0; i < 10; i++) expect(await findPasswordFault(generatePassword())).toBeNull();
});

it("matches a password with its hash in either Unicode normalization form", async () => {
  const [composed, inParts] = ["Gänsefüßchen-Rad", "Gänsefüßchen-Rad".normalize("NFD")];
  const stored = await hashPassword(inParts);
  // The cost: 2^10 rounds (OWASP's least for bcrypt).
  expect(stored).toMatch(/^\$2b\$10\$/);
  expect(await isPasswordOf(stored, composed)).toBe(true);
  expect(await isPasswordOf(stored, inParts)).toBe(true);
  expect(await isPasswordOf(await hash(inParts, 4), inParts)).toBe(true);
  expect(await isPasswordOf(stored, "Gansefuesschen-Rad")).toBe(false);
});
