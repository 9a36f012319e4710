import { expect, it } from "vitest";
import { findStrayBraces } from "./letter-words";

it.each([
  ["Hello {name}, and {name}", []],
  ["Hello {Name}", ["{Name}"]],
  ["Hello { name } and {first name}", ["{ name }", "{first name}"]],
  ["Hello {{name}}", ["{{name}}"]],
  ["Hello {name", ["{"]],
  ["Hello name} {}", ["}", "{}"]],
  ["{name}{name}}", ["{name}}"]],
])("finds the braces in %j that are no {name}", (body, stray) => {
  expect(findStrayBraces({ subject: "{name}", body })).toEqual(stray);
});
