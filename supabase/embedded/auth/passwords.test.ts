import { expect, it } from "vitest";
import { findPasswordFault } from "../../../app/lib/passwords/password-rule.ts";
import { generatePassword } from "./passwords.ts";

it("makes no password that would be refused", async () => {
  for (let i = 0; i < 200; i++) expect(await findPasswordFault(generatePassword())).toBeNull();
});
