import { describe, expect, it } from "vitest";
import { loggablePath } from "~/lib/loggable-path";

describe("loggablePath", () => {
  it.each([
    ["/pricing?token=secret#top", "/pricing"],
    ["/%0A{%22event%22:1}%1b[31m", '/{"event":1}[31m'],
    ["/unsubscribe/grace%40harbor.example/now", "/unsubscribe/…/now"],
    ["/%E2%82%AC", "/€"],
    ["/%ff", "/%ff"],
  ])("cleans %s", (path, cleaned) => {
    expect(loggablePath(`http://site.example${path}`)).toBe(cleaned);
  });

  it("keeps at most 200 characters", () => {
    expect(loggablePath(`http://site.example/${"x".repeat(500)}`)).toHaveLength(200);
  });
});
