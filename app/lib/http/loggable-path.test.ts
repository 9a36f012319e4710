import { describe, expect, it } from "vitest";
import { loggablePath } from "./loggable-path";

describe("loggablePath", () => {
  it.each([
    ["/pricing?token=secret#top", "/pricing"],
    ["/%0A{%22event%22:1}%1b[31m", '/{"event":1}[31m'],
    ["/unsubscribe/grace%40harbor.example/now", "/unsubscribe/…/now"],
    ["/%E2%82%AC", "/€"],
    ["/%ff", "/%ff"],
    ["/data-rights/Zk3vYp0aQ1-sT_8uWx2yB4cD6eF7gH9iJ0kLmNoPqRs", "/data-rights/…"],
    ["/confirm/3f2504e0-4f89-41d3-9a0c-0305e82c3301/x", "/confirm/…/x"],
    ["/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmVk", "/…"],
    ["/abcdefghijklmnopqrstuvwxyz", "/…"],
    ["/how-we-work-with-clinics-and-their-patients-2026", "/how-we-work-with-clinics-and-their-patients-2026"],
    ["/Wp_Content/uploads.old/backup-of-everything.tar.gz", "/Wp_Content/uploads.old/backup-of-everything.tar.gz"],
  ])("cleans %s", (path, cleaned) => {
    expect(loggablePath(`http://site.example${path}`)).toBe(cleaned);
  });

  it("keeps at most 200 characters", () => {
    expect(loggablePath(`http://site.example/${"words/".repeat(100)}`)).toHaveLength(200);
  });

  it.each(["a", "A1", "@", "-", "a-", "/", ".", "a/", "%41", "%ff", "%0a", "é", "1"])(
    "takes sixteen times as long for sixteen times as much of %s, not more",
    (worst) => {
      const url = (characters: number) => `http://site.example/${worst.repeat(characters / worst.length)}`;
      const [little, much] = [url(1_024), url(16_384)];
      // The quadratic expression of before took 256 times as long; a floor spares the clock's own grain.
      expect(fastest(much)).toBeLessThan(Math.max(fastest(little), 0.02) * 64);
    },
  );
});

/** In milliseconds, of five tries. */
function fastest(url: string): number {
  const tries = Array.from({ length: 5 }, () => {
    const begin = performance.now();
    loggablePath(url);
    return performance.now() - begin;
  });
  return Math.min(...tries);
}
