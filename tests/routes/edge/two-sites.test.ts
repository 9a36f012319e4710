import { afterAll, beforeAll, expect, it } from "vitest";
import { readMailsTo } from "../../support/data-rights";
import { type TestSite, startSite } from "../../support/site";
import { Visitor, filledContactForm } from "../../support/visitor";

const siteUrl = "https://firm.example";
let plain: TestSite;
let strict: TestSite;
beforeAll(async () => {
  plain = await startSite();
  strict = await startSite({ SITE_URL: siteUrl, POST_RATE_LIMIT: "1", CONTACT_TO: "desk@firm.example" });
});
afterAll(async () => {
  await plain.stop();
  await strict.stop();
});

it("use their own addresses, cookies and headers in one process", async () => {
  const [ofPlain, ofStrict] = await Promise.all([plain, strict].map(({ url }) => fetch(`${url}/robots.txt`)));
  expect(await ofPlain?.text()).toContain("Sitemap: http://localhost:");
  expect(await ofStrict?.text()).toContain(`Sitemap: ${siteUrl}/sitemap.xml`);
  expect([ofPlain, ofStrict].map((answer) => answer?.headers.has("strict-transport-security"))).toEqual([false, true]);
  const policies = await Promise.all([plain, strict].map(({ url }) => new Visitor(url).get("/cookie-policy")));
  expect(policies.map(({ html }) => html.includes("__Host-"))).toEqual([false, true]);
});

it("count posts, store messages and notify the firm separately in one process", async () => {
  expect([await post(strict, siteUrl), await post(strict, siteUrl)]).toEqual([303, 429]);
  expect([await post(plain, plain.url), await post(plain, plain.url)]).toEqual([303, 303]);
  await expect.poll(() => readMailsTo(strict.dataDir, "desk@firm.example")).not.toEqual([]);
  await expect.poll(() => readMailsTo(plain.dataDir, "admin@firm.example")).not.toEqual([]);
  expect(await readMailsTo(plain.dataDir, "desk@firm.example")).toEqual([]);
  expect(await readMailsTo(strict.dataDir, "admin@firm.example")).toEqual([]);
});

async function post({ url }: TestSite, Origin: string): Promise<number> {
  return (await new Visitor(url).post("/contact", filledContactForm, { Origin })).status;
}
