import { expect, it } from "vitest";
import { findPasswordFault } from "./password-rule";
import { findPasswordWords } from "./password-words";

const words = findPasswordWords(
  "ada.byron@vital-line.example",
  "https://www.vital-line.example",
  "Vital Line Advisory",
);

const guessed = expect.stringContaining("guessed first") as string;
const known = expect.stringContaining("a name that others know") as string;

it.each([
  ["password1234", guessed],
  ["1q2w3e4r5t6y", guessed],
  ["Vital Line Advisory", known],
  ["vital-line.example", known],
  ["Vital Line 2026!", known],
  ["ada.byron@vital-line.example", known],
  ["byron2026byron", known],
  ["correct horse battery staple", null],
  ["k7-frost-Lantern", null],
  ["Gänsefüßchen-Rad", null],
  ["vital signs of a quiet engine", null],
])("judges the password %s", async (password, fault) => {
  expect(await findPasswordFault(password, words)).toEqual(fault);
});

it("accepts at most 72 bytes, because bcrypt ignores the rest", async () => {
  const long = "k7-frost-Lantern and a very quiet engine in the morning of some other day".slice(0, 72);
  expect(await findPasswordFault(long)).toBeNull();
  expect(await findPasswordFault(`${long}!`)).toBe("Password cannot be longer than 72 bytes.");
});
