import { expect, it } from "vitest";
import { loggablePath } from "./loggable-path";

const own = new Set(["about", "data-rights"]);

it.each([
  ["/About/", "/about"],
  ["/data-rights?token=secret#top", "/data-rights"],
  ["/data-rights%253Ftoken=secret", "/data-rights"],
  ["/data-rights;token=secret", "/data-rights"],
  ["/data-rights&token=secret", "/data-rights"],
  ["/data-rights%2Fconfirm", "/data-rights"],
  ["/aboutgrace", "(other)"],
  ["/about%20grace", "(other)"],
  ["/%ff", "(other)"],
])("reduces %s to %s", (path, expected) => {
  expect(loggablePath(`http://site.example${path}`, own)).toBe(expected);
});
