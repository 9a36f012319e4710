import { expect, it } from "vitest";
import { isCommonPassword } from "./common-passwords";
import { findPasswordFault } from "./password-rule";

it.each([
  "password1234",
  "Password1234!",
  "PASSWORDPASSWORD",
  "__dragon2024!",
  "qwertyuiop12",
  "1q2w3e4r5t6y",
  "aaaaaaaaaaaa",
  "abcabcabcabc",
  "121212121212",
  "letmeinletmein",
  "iloveyou!!!!",
])("%s is common", async (password) => {
  expect(await isCommonPassword(password)).toBe(true);
  expect(await findPasswordFault(password)).toContain("guessed first");
});

it.each([
  "correct horse battery staple",
  "correct-horse-battery",
  "a long test passphrase",
  "k7-frost-Lantern",
  "Gänsefüßchen-Rad",
  "zhuang 2 river 9",
])("%s is not", async (password) => {
  expect(await isCommonPassword(password)).toBe(false);
  expect(await findPasswordFault(password)).toBeNull();
});
