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

it("counts policy violations by directive and stores nothing from the reports", async () => {
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
    for (const invalid of [
      "",
      "{",
      "{}",
      "[1]",
      "[".repeat(8_000),
      JSON.stringify(Array.from({ length: 101 }, () => ({}))),
    ])
      expect(await send(invalid), invalid.slice(0, 9)).toBe(400);
    for (const large of ["[".repeat(8_193), "x".repeat(100_000)]) expect(await send(large)).toBe(413);

    const figures = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    expect(figures.match(/^site_policy_violations_total\{.*$/gm)).toEqual([
      'site_policy_violations_total{directive="script-src-elem"} 2',
      'site_policy_violations_total{directive="img-src"} 1',
      'site_policy_violations_total{directive="(other)"} 1',
    ]);
    // Lines of completed requests are written a few times a second.
    await expect.poll(() => site.output()).toContain('"route":"/reports","method":"POST","status":204');
    expect(site.output()).not.toMatch(/secret-of-somebody|elsewhere\.example|Somebody's browser/);
  } finally {
    await site.stop();
  }
});

it("limits a client to twenty reports a minute without affecting others", async () => {
  const site = await startSite({ POST_RATE_LIMIT: "20", TRUSTED_PROXIES: "1" });
  const send = async (address: string) => {
    const headers = { "Content-Type": "application/reports+json", "X-Forwarded-For": address };
    const body = JSON.stringify([report("img-src")]);
    return await fetch(`${site.url}/reports`, { method: "POST", headers, body });
  };
  try {
    for (let count = 0; count < 20; count++) expect((await send("203.0.113.5")).status).toBe(204);
    const { status, headers } = await send("203.0.113.5");
    expect(status).toBe(429);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await send("203.0.113.6")).status).toBe(204);
  } finally {
    await site.stop();
  }
});
