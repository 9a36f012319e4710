import { describe, expect, it } from "vitest";
import { startSite, testAdmin } from "../../support/site";
import { Visitor, filledContactForm, readText } from "../../support/visitor";

describe("a proxy beyond TRUSTED_PROXIES", () => {
  it("is reported once in the log and to admins, with its effect and without addresses", async () => {
    const site = await startSite({ TRUSTED_PROXIES: "1" });
    const read = () => site.output().match(/"event":"setup\.[\w-]+"/g) ?? [];
    const visit = (trail: string) => fetch(`${site.url}/about`, { headers: { "X-Forwarded-For": trail } });
    for (let i = 0; i < 9; i++) await visit(`203.0.113.${i}, 10.0.0.2`);
    expect(read()).toEqual([]);
    for (let i = 0; i < 20; i++) await visit(`203.0.113.${i}, 10.0.0.2`);
    expect(read()).toEqual(['"event":"setup.more-proxies"']);
    expect(site.output()).toMatch(/"level":"warn"[^\n]*"remedy":"see docs\/operations\/proxy\.md"/);
    expect(site.output()).not.toMatch(/203\.0\.113|10\.0\.0\.2/);
    const admin = new Visitor(site.url);
    await admin.signIn();
    const text = readText((await admin.get("/admin")).html);
    expect(text).toContain("X-Forwarded-For lists more proxies than TRUSTED_PROXIES counts");
    expect(text).toContain("See docs/operations/proxy.md");
    await site.stop();
  });

  it("is assumed at once when SITE_URL is https, because only a proxy could terminate TLS", async () => {
    for (const [settings, isShown] of [
      [{ SITE_URL: "https://firm.example" }, true],
      [{ SITE_URL: "https://firm.example", TRUSTED_PROXIES: "1" }, false],
      [{ SITE_URL: "http://firm.example" }, false],
    ] as const) {
      const site = await startSite(settings);
      const admin = new Visitor(site.url);
      await admin.post("/login", testAdmin, { Origin: settings.SITE_URL });
      const text = readText((await admin.get("/admin")).html);
      expect(text.includes("TRUSTED_PROXIES is 0"), JSON.stringify(settings)).toBe(isShown);
      await site.stop();
    }
  });
});

it("treats an address with any port as one client for every limit", async () => {
  const site = await startSite({ TRUSTED_PROXIES: "1", POST_RATE_LIMIT: "3" });
  const send = async (trail: string) =>
    (await new Visitor(site.url).post("/contact", filledContactForm, { "X-Forwarded-For": trail })).status;
  const statuses = [];
  for (let port = 5000; port < 5004; port++) statuses.push(await send(`203.0.113.7:${port}`));
  expect([...statuses, await send("203.0.113.7")]).toEqual([303, 303, 303, 429, 429]);
  const inBrackets = [];
  for (let port = 5000; port < 5004; port++) inBrackets.push(await send(`[2001:db8::1]:${port}`));
  expect([...inBrackets, await send("2001:db8::1")]).toEqual([303, 303, 303, 429, 429]);
  const unknown = [];
  for (let i = 0; i < 4; i++) unknown.push(await send(i % 2 === 0 ? `unknown${i}` : `_hidden${i}`));
  expect(unknown).toEqual([303, 303, 303, 429]);
  await site.stop();
});
