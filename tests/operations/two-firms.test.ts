import { readdirSync } from "node:fs";
import { readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { builtInCompany } from "~/content/firm/built-in";
import { readCompany } from "~/content/firm/company-element";
import { readEveryPage } from "../support/every-page";
import { findTags, publicPaths, readStructuredData } from "../support/page-source";
import { type Product, startProduct } from "../support/product";
import { makeDataDir, makeSiteFolder } from "../support/site-folder";
import { Visitor, readText } from "../support/visitor";

/** Facts of an invented firm. Each text contains the firm's name, which identifies it wherever it appears. */
function factsOf(firm: string, replyWithinHours: number): string {
  const mark = firm.toLowerCase();
  return `
name: Firm ${firm}
tagline: Tagline ${firm} of <b>&amp;
email: office@firm-${mark}.test
linkedin: https://firm-${mark}.test/linkedin
address: Street ${firm}
jurisdiction: the State of ${firm}
arbitrationBody: Arbiter ${firm}
replyWithinHours: ${replyWithinHours}
founder:
  name: Person ${firm}
  role: Role ${firm}
  linkedin: https://firm-${mark}.test/person
  story:
    - "Person ${firm} was here first."
    - And then <i>Agent ${firm}</i>.
  portrait: portrait.bin
representatives:
  europeanUnion: Agent ${firm}
processors:
  - Host ${firm} (hosting)
`;
}

const jpeg = Buffer.from("\xff\xd8\xff\xe0 portrait of One", "latin1");
const png = Buffer.from("\x89PNG\r\n\x1a\n portrait of Two", "latin1");

/** Matches texts that belong to this firm's pages. */
const wordsOf = (firm: string) =>
  new RegExp(`(?:Firm|Tagline|Street|State of|Arbiter|Person|Role|Agent|Host) ${firm}|firm-${firm.toLowerCase()}`);
const builtInFacts = [
  builtInCompany.name,
  builtInCompany.email,
  builtInCompany.linkedin,
  builtInCompany.tagline,
  builtInCompany.founder.linkedin,
  builtInCompany.founder.role,
  builtInCompany.founder.name,
  builtInCompany.address,
  builtInCompany.jurisdiction,
  builtInCompany.arbitrationBody,
  builtInCompany.founder.portrait,
];
/** The built-in facts, and the texts that pages show when the facts do not set them. */
const builtInWords = [...builtInFacts, "reply within 24 hours", "Series 65"];

let one: Product;
let two: Product;
let pagesOfOne: Map<string, string>;
let pagesOfTwo: Map<string, string>;

beforeAll(async () => {
  const folder = await makeDataDir();
  const dataDir = await makeSiteFolder();
  await writeFile(join(folder, "firm-1.yaml"), factsOf("One", 48));
  await writeFile(join(folder, "portrait.bin"), jpeg);
  await writeFile(join(dataDir, "facts.yaml"), factsOf("Two", 12));
  await writeFile(join(dataDir, "portrait.bin"), png);
  [one, two] = await Promise.all([
    startProduct({ SITE_FACTS: join(folder, "firm-1.yaml") }),
    startProduct({ REPLY_DAYS: "business" }, { dataDir }),
  ]);
  [pagesOfOne, pagesOfTwo] = await Promise.all([readEverything(one), readEverything(two)]);
});
afterAll(async () => {
  await Promise.all([one.stop(), two.stop()]);
});

/** Reads every page, file and email of a site, including the email about a refused data rights request. */
async function readEverything(product: Product): Promise<Map<string, string>> {
  const texts = await readEveryPage(product);
  const admin = new Visitor(product.url);
  await admin.signIn();
  const request = /\/admin\/requests\/[0-9a-f-]{36}/.exec((await admin.get("/admin/requests")).html)?.[0] ?? "";
  await admin.post(request, { intent: "refuse", text: "Not ours to answer." });
  const files = ["/robots.txt", "/sitemap.xml", "/site.webmanifest", "/.well-known/security.txt", "/rules.json"];
  for (const path of files) texts.set(path, (await admin.get(path)).html);
  const mails = join(product.dataDir, "mail");
  await vi.waitFor(async () => expect(await readMails(mails)).toContain("Not ours to answer."), {
    timeout: 60_000,
    interval: 200,
  });
  texts.set("mails", await readMails(mails));
  return texts;
}

async function readMails(folder: string): Promise<string> {
  const names = (await readdir(folder)).filter((name) => /^[^.].*\.eml$/.test(name));
  const mails = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
  // In quoted-printable text, a line ends with "=" when it continues on the next.
  return mails.join("\n").replaceAll("=\r\n", "").replaceAll("\r\n", "\n");
}

/** Reads the hashes of the consent texts in the banner and the dialog. */
function readConsentHashes(html: string): string[] {
  return [...html.matchAll(/name="text" value="([0-9a-f]{16})"/g)].flatMap(([, hash]) => hash ?? []);
}

describe("one build running with the facts of two firms", () => {
  it("shows no fact of the other firm and no built-in fact on any page, in any file or email", () => {
    for (const [pages, other] of [
      [pagesOfOne, "Two"],
      [pagesOfTwo, "One"],
    ] as const) {
      const foreign = [...pages].flatMap(([path, text]) => {
        const words = [wordsOf(other).exec(text)?.[0], ...builtInWords.filter((word) => text.includes(word))];
        return words.flatMap((word) => (word === undefined ? [] : [`${path}: ${word}`]));
      });
      expect(foreign).toEqual([]);
    }
    expect(pagesOfOne.size).toBeGreaterThan(30);
  });

  it("names the firm in each page's title and footer, and escapes its facts", () => {
    for (const path of publicPaths) {
      const html = pagesOfOne.get(path) ?? "";
      expect(html, path).toMatch(/<title>[^<]* \| Firm One<\/title>/);
      expect(html, path).toContain("Tagline One of &lt;b&gt;&amp;amp;");
      expect(html, path).toContain('href="https://firm-one.test/linkedin"');
    }
  });

  it("identifies the firm in policies, structured data, manifest, security.txt and emails", () => {
    const page = (path: string) => readText(pagesOfOne.get(path) ?? "");
    for (const word of ["Firm One", "office@firm-one.test", "Street One", "Agent One", "Host One (hosting)"])
      expect(page("/privacy-policy")).toContain(word);
    for (const word of ["the State of One", "Arbiter One"]) expect(page("/terms-of-service")).toContain(word);
    expect(page("/accessibility")).toContain("office@firm-one.test");
    expect(page("/about")).toContain("Person One was here first. And then <i>Agent One</i>.");
    const [data] = readStructuredData(pagesOfOne.get("/about") ?? "");
    expect(data?.["@graph"]).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: "Firm One", email: "office@firm-one.test" }),
        expect.objectContaining({ name: "Person One", sameAs: ["https://firm-one.test/person"] }),
      ]),
    );
    expect(JSON.parse(pagesOfOne.get("/site.webmanifest") ?? "")).toMatchObject({ name: "Firm One" });
    expect(pagesOfOne.get("/.well-known/security.txt")).toContain("Contact: mailto:office@firm-one.test\n");
    expect(pagesOfOne.get("mails")).toContain("Firm One");
  });

  it("states each firm's reply time on pages, in the policy and in emails", () => {
    expect(readText(pagesOfOne.get("/contact") ?? "")).toContain("We reply within 48 hours.");
    expect(pagesOfOne.get("/privacy-policy")).toContain("within 48\u00a0hours");
    expect(pagesOfOne.get("mails")).toContain("will reply within 48 hours,");
    expect(readText(pagesOfTwo.get("/contact") ?? "")).toContain("We reply within 12 hours on business days.");
    expect(pagesOfTwo.get("/privacy-policy")).toContain("within 12\u00a0hours on business days");
    for (const [path, html] of pagesOfTwo)
      expect(readText(html), path).not.toMatch(/within 12.hours(?! on business days)/);
    expect(pagesOfTwo.get("mails")).toContain("will reply within 12 hours on business days (Monday to Friday),");
  });

  it("serves each founder's portrait only, at an immutable URL", async () => {
    for (const [product, pages, type, bytes] of [
      [one, pagesOfOne, "image/jpeg", jpeg],
      [two, pagesOfTwo, "image/png", png],
    ] as const) {
      const pictures = findTags(pages.get("/about") ?? "", "img").map(({ attributes }) => attributes.src ?? "");
      const path = pictures.find((src) => src.startsWith("/portrait/")) ?? "";
      const response = await fetch(product.url + path);
      expect(response.headers.get("content-type")).toBe(type);
      expect(response.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
      expect(response.headers.get("x-content-type-options")).toBe("nosniff");
      expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes);
      const other = product === one ? two : one;
      expect((await fetch(other.url + path)).status).toBe(404);
    }
  });

  it("uses the same consent texts, whose hashes are in the archive", () => {
    const hashes = readConsentHashes(pagesOfOne.get("/about") ?? "");
    expect(hashes).toHaveLength(2);
    expect(readConsentHashes(pagesOfTwo.get("/about") ?? "")).toEqual(hashes);
    const kept = readdirSync("app/content/consent-texts").map((file) => file.slice(0, 16));
    expect(kept).toEqual(expect.arrayContaining(hashes));
  });

  it("embeds the facts in the page for its scripts, escaped", () => {
    const [, json = ""] =
      /<script type="application\/json" id="company">(.*?)<\/script>/.exec(pagesOfOne.get("/contact") ?? "") ?? [];
    expect(readCompany(json)).toMatchObject({ name: "Firm One", tagline: "Tagline One of <b>&amp;" });
    expect(json).not.toContain("<");
    expect(pagesOfOne.get("/")).not.toContain("application/json");
  });

  it("does not warn of missing facts on a local site", () => {
    expect(one.output()).not.toContain("facts.missing");
    expect(readText(pagesOfOne.get("/admin") ?? "")).not.toContain("The public site shows placeholders");
  });
});

describe("the build itself", () => {
  it("puts no fact of a firm into browser scripts", async () => {
    const names = await readdir("build/client/assets");
    const scripts = names.filter((name) => name.endsWith(".js"));
    expect(scripts.length).toBeGreaterThan(20);
    for (const name of scripts) {
      const script = await readFile(join("build/client/assets", name), "utf8");
      for (const word of builtInFacts) expect(script, name).not.toContain(word);
    }
  });
});
