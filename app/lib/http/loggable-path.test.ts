import { describe, expect, it } from "vitest";
import { loggablePath } from "./loggable-path";

const own = new Set(["about", "data-rights"]);

describe("loggablePath", () => {
  it.each([
    ["/about/grace-hopper", "/about"],
    ["/About/", "/about"],
    ["/data-rights?token=secret#top", "/data-rights"],
    ["/data-rights/confirm%3Ftoken=secret", "/data-rights"],
    ["/data-rights%3Ftoken=secret", "/data-rights"],
    ["/data-rights%3ftoken%3dsecret", "/data-rights"],
    ["/data-rights%253Ftoken=secret", "/data-rights"],
    ["/data-rights;token=secret", "/data-rights"],
    ["/data-rights%3Btoken=secret", "/data-rights"],
    ["/data-rights&token=secret", "/data-rights"],
    ["/data-rights%26token=secret", "/data-rights"],
    ["/data-rights%2Fconfirm", "/data-rights"],
    ["/grace-hopper", "(other)"],
    ["/aboutgrace", "(other)"],
    ["/about%20grace", "(other)"],
    ["/unsubscribe/grace%40harbor.example/now", "(other)"],
    ["/Zk3vYp0aQ1-sT_8uWx2yB4cD6eF7gH9iJ0kLmNoPqRs", "(other)"],
    ["/%0A{%22event%22:1}%1b[31m", "(other)"],
    ["/%ff", "(other)"],
    ["/%", "(other)"],
    ["/", "(other)"],
  ])("reduces %s to %s", (path, expected) => {
    expect(loggablePath(`http://site.example${path}`, own)).toBe(expected);
  });
});
