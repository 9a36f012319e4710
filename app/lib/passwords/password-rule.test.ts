import { expect, it } from "vitest";
import { findPasswordFault } from "./password-rule";
import { findPasswordWords } from "./password-words";

const words = findPasswordWords(
  "ada.byron@vital-line.example",
  "https://www.vital-line.example",
  "Vital Line Advisory",
);

it.each(["password1234", "1q2w3e4r5t6y"])("rejects the easily guessed password %s", async (password) => {
  expect(await findPasswordFault(password)).toContain("guessed first");
});

it.each([
  "Vital Line Advisory",
  "vital-line.example",
  "Vital Line 2026!",
  "ada.byron@vital-line.example",
  "byron2026byron",
])("rejects %s, which is based on the firm's or the person's name", async (password) => {
  expect(await findPasswordFault(password, words)).toContain("a name that others know");
});

it.each(["correct horse battery staple", "k7-frost-Lantern", "Gänsefüßchen-Rad", "vital signs of a quiet engine"])(
  "accepts %s",
  async (password) => {
    expect(await findPasswordFault(password, words)).toBeNull();
  },
);

it("accepts at most 72 bytes, because bcrypt ignores the rest", async () => {
  const long = "k7-frost-Lantern and a very quiet engine in the morning of some other day".slice(0, 72);
  expect(await findPasswordFault(long)).toBeNull();
  expect(await findPasswordFault(`${long}!`)).toBe("Password cannot be longer than 72 bytes.");
});
