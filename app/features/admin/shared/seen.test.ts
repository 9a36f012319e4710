import { expect, it } from "vitest";
import { seenVersion } from "./seen.server";

it.each([
  ["0", true],
  ["999999999", true],
  [undefined, true],
  ["2147483648", false],
  ["-1", false],
  ["1.0", false],
  ["٣", false],
  ["", false],
])("validates the version %s as %s", (seen, isValid) => {
  expect(seenVersion.safeParse(seen).success).toBe(isValid);
});
