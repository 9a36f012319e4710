import { expect, it } from "vitest";
import { findInitials } from "./initials";

it.each([
  ["Adaeze Okonjo", "AO"],
  ["Dr. Jane van der Berg, MD", "JB"],
  ["J. P. Morgan", "JM"],
  ["Zoë", "Z"],
  ["élodie Ørsted", "ÉØ"],
  ["Prof. Hale", "H"],
  ["Jane (Jo) O’Neill", "JO"],
  ["李 小龙", "李小"],
])("finds the initials of %s", (name, initials) => {
  expect(findInitials(name)).toBe(initials);
});
