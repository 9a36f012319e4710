import { describe, expect, it } from "vitest";
import { loggablePath } from "./loggable-path";

const own = new Set(["about", "data-rights"]);

describe("loggablePath", () => {
  it.each([
    ["/about/grace-hopper", "/about"],
    ["/About/", "/about"],
    ["/data-rights?token=secret#top", "/data-rights"],
    ["/data-rights/confirm%3Ftoken=secret", "/data-rights"],
    ["/data-rights%253Ftoken=secret", "/data-rights"],
    ["/data-rights;token=secret", "/data-rights"],
    ["/data-rights&token=secret", "/data-rights"],
    ["/data-rights%2Fconfirm", "/data-rights"],
    ["/aboutgrace", "(other)"],
    ["/about%20grace", "(other)"],
    ["/Zk3vYp0aQ1-sT_8uWx2yB4cD6eF7gH9iJ0kLmNoPqRs", "(other)"],
    ["/%ff", "(other)"],
    ["/", "(other)"],
  ])("reduces %s to %s", (path, expected) => {
    expect(loggablePath(`http://site.example${path}`, own)).toBe(expected);
  });
});
