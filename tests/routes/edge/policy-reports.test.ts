import { expect, it } from "vitest";
import { findFreePort } from "../../support/free-port";
import { startSite } from "../../support/site";

const report = (effectiveDirective: string, type = "csp-violation") => ({
  type,
  age: 10,
  url: "https://firm.example/data-rights/status?token=secret-of-somebody",
  user_agent: "Somebody's browser",
  body: { effectiveDirective, blockedURL: "https://elsewhere.example/script.js", disposition: "enforce" },
});

it("what the policy keeps out is counted by directive, and nothing of it is kept", async () => {
  const port = await findFreePort();
  const site = await startSite({ METRICS_PORT: String(port) });
  const send = async (body: string, type = "application/reports+json") => {
    const headers = { "Content-Type": type };
    return (await fetch(`${site.url}/reports`, { method: "POST", headers, body })).status;
  };
  try {
    const page = await fetch(`${site.url}/about`);
    expect(page.headers.get("reporting-endpoints")).toBe('site="/reports"');
    expect(page.headers.get("content-security-policy")).toContain("; report-to site");

    const honest = [
      report("script-src-elem"),
      report("script-src-elem"),
      report("img-src"),
      report("x", "deprecation"),
    ];
    expect(await send(JSON.stringify(honest))).toBe(204);
    expect(await send(JSON.stringify([report("no-directive-of-ours{}")]))).toBe(204);
    for (const none of ["", "{", "{}", "[1]", "[".repeat(60_000), "x".repeat(100_000)])
      expect(await send(none), none.slice(0, 9)).toBe(400);
    expect(await send(JSON.stringify(Array.from({ length: 101 }, () => report("img-src"))))).toBe(400);

    const figures = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    expect(figures.match(/^site_policy_violations_total\{.*$/gm)).toEqual([
      'site_policy_violations_total{directive="script-src-elem"} 2',
      'site_policy_violations_total{directive="img-src"} 1',
      'site_policy_violations_total{directive="(other)"} 1',
    ]);
    // Lines of answered requests are written some times a second.
    await expect.poll(() => site.output()).toContain('"route":"/reports","method":"POST","status":204');
    expect(site.output()).not.toMatch(/secret-of-somebody|elsewhere\.example|Somebody's browser/);
  } finally {
    await site.stop();
  }
});
