import { readFile, readdir } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestSite, startSite } from "../../support/site";
import { type Answer, Visitor, filledContactForm } from "../../support/visitor";

describe("two sites with different settings in one process", () => {
  let plain: TestSite;
  let strict: TestSite;
  beforeAll(async () => {
    plain = await startSite();
    strict = await startSite({
      SITE_URL: "https://firm.example",
      POST_RATE_LIMIT: "1",
      GA_MEASUREMENT_ID: "G-ABC123DEF4",
      CONTACT_TO: "desk@firm.example",
    });
  });
  afterAll(async () => {
    await plain.stop();
    await strict.stop();
  });

  it("use their own addresses, cookies and headers", async () => {
    const [ofPlain, ofStrict] = await Promise.all([plain, strict].map(({ url }) => fetch(`${url}/robots.txt`)));
    expect(await ofPlain?.text()).toContain("Sitemap: http://localhost:");
    expect(await ofStrict?.text()).toContain("Sitemap: https://firm.example/sitemap.xml");
    expect(ofPlain?.headers.has("strict-transport-security")).toBe(false);
    expect(ofStrict?.headers.has("strict-transport-security")).toBe(true);
    const policies = await Promise.all([plain, strict].map(({ url }) => new Visitor(url).get("/cookie-policy")));
    expect(policies[0]?.html).not.toContain("__Host-");
    expect(policies[1]?.html).toContain("__Host-");
  });

  it("count posts separately, store messages separately, and notify their own firm", async () => {
    const ownOrigin = plain.url;
    expect((await post(strict, "https://firm.example")).status).toBe(303);
    expect((await post(strict, "https://firm.example")).status).toBe(429);
    for (let i = 0; i < 3; i++) expect((await post(plain, ownOrigin)).status).toBe(303);
    await expect.poll(() => listRecipients(strict)).toContain("desk@firm.example");
    await expect.poll(() => listRecipients(plain)).toContain("admin@firm.example");
    expect(await listRecipients(plain)).not.toContain("desk@firm.example");
    expect(await listRecipients(strict)).not.toContain("admin@firm.example");
  });
});

function post({ url }: TestSite, origin: string): Promise<Answer> {
  return new Visitor(url).post("/contact", { ...filledContactForm, message: origin }, { Origin: origin });
}

/** Lists recipients of the emails that a site without a mail server writes as files. */
async function listRecipients({ dataDir }: TestSite): Promise<string[]> {
  const folder = `${dataDir}/mail`;
  const files = await readdir(folder).catch(() => []);
  const mails = await Promise.all(
    files.filter((file) => file.endsWith(".eml")).map((file) => readFile(`${folder}/${file}`, "utf8")),
  );
  return mails.map((mail) => /^To: (?:.*<)?([^>\r\n]+)/m.exec(mail)?.[1] ?? "");
}
