import * as fc from "fast-check";
import { expect, it } from "vitest";
import { findCanonicalPath } from "~/server/http/canonical-path.server";

it.each([
  ["/contact", null],
  ["/Contact/?A=b", "/contact?A=b"],
  ["/contact?", "/contact"],
  ["/assets/App.js", null],
  ["/\\evil.example/", "/evil.example"],
  ["///\\\\evil.example/path/", "/evil.example/path"],
  // Mail programs include trailing punctuation in links, and people copy those links.
  ["/about.", "/about"],
  ["/about%E2%80%9D", "/about"],
  ["/privacy-%C2%ADpolicy", "/privacy-policy"],
  ["/About/.?a=b.", "/about?a=b."],
  ["/data-rights/status%EF%BB%BF?token=x", "/data-rights/status?token=x"],
  ["/.", "/"],
  ["/a%2Fb", "/a%2fb"],
  ["/caf%C3%A9.", "/caf%c3%a9"],
  ["/%FF.", null],
])("maps %s to %s", (url, canonical) => {
  expect(findCanonicalPath(url)).toBe(canonical);
});

it("never redirects to another site or in a loop", () => {
  const pieces = "/ \\ . .. evil.example Path ? %5c %2f %25 @ : ) %E2%80%8B %20 %3F %23 é".split(" ");
  const piece = fc.constantFrom(...pieces);
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (parts) => {
      const location = findCanonicalPath(`/${parts.join("")}`);
      if (location === null) return;
      expect(new URL(location, "https://firm.example").origin).toBe("https://firm.example");
      expect(location).not.toMatch(/^\/[/\\]/);
      expect(findCanonicalPath(location)).toBeNull();
    }),
    { numRuns: 2_000, seed: 20_261_121 },
  );
});
