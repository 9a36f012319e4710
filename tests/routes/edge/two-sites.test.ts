import { expect, it } from "vitest";
import { readMailsTo } from "../../support/data-rights";
import { filledContactForm } from "../../support/visitor";
import { type SiteInUse, useSite } from "../support/world";

const siteUrl = "https://firm.example";
const plain = useSite();
const strict = useSite({ SITE_URL: siteUrl, POST_RATE_LIMIT: "1", CONTACT_TO: "desk@firm.example" });

it("use their own addresses, cookies and headers in one process", async () => {
  const [ofPlain, ofStrict] = await Promise.all([plain, strict].map(({ url }) => fetch(`${url}/robots.txt`)));
  expect(await ofPlain?.text()).toContain("Sitemap: http://localhost:");
  expect(await ofStrict?.text()).toContain(`Sitemap: ${siteUrl}/sitemap.xml`);
  expect([ofPlain, ofStrict].map((answer) => answer?.headers.has("strict-transport-security"))).toEqual([false, true]);
  const policies = await Promise.all([plain, strict].map((site) => site.get("/cookie-policy")));
  expect(policies.map(({ html }) => html.includes("__Host-"))).toEqual([false, true]);
});

it("count posts, store messages and notify the firm separately in one process", async () => {
  expect([await post(strict), await post(strict)]).toEqual([303, 429]);
  expect([await post(plain, plain.url), await post(plain, plain.url)]).toEqual([303, 303]);
  await expect.poll(() => readMailsTo(strict.dataDir, "desk@firm.example")).not.toEqual([]);
  await expect.poll(() => readMailsTo(plain.dataDir, "admin@firm.example")).not.toEqual([]);
  expect(await readMailsTo(plain.dataDir, "desk@firm.example")).toEqual([]);
  expect(await readMailsTo(strict.dataDir, "admin@firm.example")).toEqual([]);
});

async function post(site: SiteInUse, Origin = siteUrl): Promise<number> {
  return (await site.post("/contact", filledContactForm, { Origin })).status;
}
