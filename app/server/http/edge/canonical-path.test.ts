import * as fc from "fast-check";
import { expect, it } from "vitest";
import { findCanonicalPath } from "~/server/http/edge/canonical-path.server";

it.each([
  ["/contact", null],
  ["/contact?A=b", null],
  ["/Contact/?A=b", "/contact?A=b"],
  ["/contact?", "/contact"],
  ["/assets/App.js", null],
  ["//evil.example/", "/evil.example"],
  ["/\\evil.example/", "/evil.example"],
  ["/\\/evil.example/", "/evil.example"],
  ["///\\\\evil.example/path/", "/evil.example/path"],
])("sends %s to %s", (asked, canonical) => {
  expect(findCanonicalPath(asked)).toBe(canonical);
});

it("sends nobody to another site, and nobody in circles", () => {
  const piece = fc.constantFrom("/", "\\", ".", "..", "evil.example", "Path", "?", "%5c", "%2f", "@", ":");
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const location = findCanonicalPath(`/${pieces.join("")}`);
      if (location === null) return;
      expect(new URL(location, "https://firm.example").origin).toBe("https://firm.example");
      expect(location).not.toMatch(/^\/[/\\]/);
      expect(findCanonicalPath(location)).toBeNull();
    }),
    { numRuns: 2_000, seed: 20_261_121 },
  );
});
