import { mkdir, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { readTexts } from "../../support/page-source";
import { readText } from "../../support/visitor";
import { makeSiteFolder } from "../../support/site-folder";
import { isFromMemory, requestRaw } from "../support/raw-response";
import { signInAdmin, useSite } from "../support/world";

const insights = join("insights", "first-interview.md");
const article = (...lines: string[]) =>
  ["---", "title: Read it twice", "summary: Once is not enough.", "date: 2026-11-20", ...lines, "---", "## Why\n"].join(
    "\n",
  );

const dataDir = await makeSiteFolder();

/** Writes a file as an operator who saved it a while ago. */
async function write(name: string, text: string): Promise<void> {
  await writeFile(join(dataDir, name), text);
  const ago = new Date(Date.now() - 60_000 - Math.random() * 1_000_000);
  await utimes(join(dataDir, name), ago, ago);
}

for (const folder of ["words", "insights"]) await mkdir(join(dataDir, folder));
await write(join("words", "contact.yaml"), "lead: Write to {{firm}} <b>now</b>.\n");
await write(insights, article("audience: startups", "replaces: old-name"));
await write(join("insights", "later.md"), article().replace("2026-11-20", "2999-01-01"));
await write(join("insights", "hidden.md"), article("draft: true", "replaces: drafted"));
await write(
  join("insights", "work.md"),
  article("kind: example", "client: A clinic", "consent: In writing.", "disclosure: It was not paid."),
);
await write(join("insights", "removed.yaml"), "- gone\n");
const site = useSite({}, { dataDir, timeouts: { ownTexts: 50 }, isWarm: true });

const get = (path: string) => fetch(site.url + path, { redirect: "manual" });
const read = async (path: string) => readText(await (await get(path)).text());

describe("an operator's words", () => {
  it("stand on the page as text, and in it for its scripts", async () => {
    const html = await (await get("/contact")).text();
    expect(readText(html)).toContain("Write to Vital Line Advisory <b>now</b>.");
    expect(html).toContain(
      String.raw`"words":{"contact":[{"path":["lead"],"value":"Write to Vital Line Advisory \u003cb>now\u003c/b>."}]}`,
    );
    expect(await (await get("/data-rights")).text()).not.toContain('"words"');
  });

  it("replace those in memory soon after a file changed; with a mistake the last good ones stay, and admins read why", async () => {
    await write(join("words", "startups.yaml"), "headline: A new headline\n");
    await vi.waitFor(async () => expect(await read("/startups")).toContain("A new headline"));
    await write(join("words", "startups.yaml"), "headline: A newer headline\nlede: x\n");
    await vi.waitFor(() => expect(site.output()).toContain("startups.yaml, line 2: lede: unknown key"));
    expect(await read("/startups")).toContain("A new headline");
    const admin = await signInAdmin(site);
    expect(readText((await admin.get("/admin")).html)).toContain("startups.yaml, line 2: lede");
    await rm(join(dataDir, "words", "startups.yaml"));
    await vi.waitFor(async () => expect(await read("/startups")).toContain("Prove the need before"));
  });
});

describe("articles", () => {
  it("are listed, linked and in sitemap and feed once their day has come", async () => {
    for (const path of ["/insights", "/", "/startups", "/insights/feed.xml"])
      expect([path, await read(path)]).toEqual([path, expect.stringContaining("Read it twice")]);
    for (const path of ["/insights", "/insights/first-interview"]) {
      const html = await (await get(path)).text();
      expect(html).toContain('<link rel="alternate" type="application/atom+xml" href="/insights/feed.xml"');
      expect(html).toContain("/share/home.png");
    }
    expect(await read("/small-business")).not.toContain("Read it twice");
    expect(await (await get("/sitemap.xml")).text()).toMatch(/insights\/first-interview<\/loc><lastmod>2026-11-20</);
    expect(await (await get("/insights/first-interview")).text()).toContain("<h2>Why</h2>");
  });

  it("come from memory, and name client, consent and disclosure of an example alone", async () => {
    const [plain, example] = await Promise.all(
      ["first-interview", "work"].map((name) => requestRaw(`${site.url}/insights/${name}`)),
    );
    expect([plain, example].map((answer) => answer && isFromMemory(answer))).toEqual([true, true]);
    expect(readTexts(example?.text ?? "", "dd")).toEqual(["A clinic", "In writing.", "It was not paid."]);
    expect(readTexts(plain?.text ?? "", "dd")).toEqual([]);
  });

  it.each([
    ["/insights/old-name", 308],
    ["/insights/gone", 410],
    ["/insights/later", 404],
    ["/insights/hidden", 404],
    ["/insights/drafted", 404],
    ["/insights/..%2f..%2fsecrets.json", 404],
    ["/insights/images/later.md", 404],
  ])("at %s get %i", async (path, status) => {
    expect((await get(path)).status).toBe(status);
  });

  it("are shown to admins before their day", async () => {
    const admin = await signInAdmin(site);
    const response = await admin.get("/admin/insights/hidden");
    expect([response.status, response.headers.get("cache-control")]).toEqual([
      200,
      expect.stringContaining("no-store"),
    ]);
    expect((await get("/admin/insights/hidden")).status).toBe(303);
  });

  it("leave no page, link or feed behind", async () => {
    await rm(join(dataDir, "insights"), { recursive: true });
    await vi.waitFor(async () => expect((await get("/insights")).status).toBe(404));
    expect((await get("/insights/feed.xml")).status).toBe(404);
    expect(await read("/")).not.toContain("Insights");
  });
});
