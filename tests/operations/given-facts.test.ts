import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { builtInCompany } from "~/content/firm/built-in";
import { readCompany } from "~/content/firm/company-element";
import { homePage } from "~/content/pages/home";
import { startupsPage } from "~/content/pages/startups";
import { runCommand } from "../support/commands/admin-command";
import { findTags, publicPaths, readTexts } from "../support/page-source";
import { ask } from "../support/ask.mjs";
import { type Product, startProduct } from "../support/product";
import { makeDataDir, makeSiteFolder } from "../support/site-folder";
import { type TestSite, startSite } from "../support/site";
import { Visitor, filledContactForm, readText } from "../support/visitor";

const steps = ["Step one.", "Step two.", "Step three."];
const full = `
founder:
  name: Dr. Person van Full, MD
  role: Role Full
  philosophy: Principle Full.
  portrait: portrait.bin
process: [${steps.join(", ")}]
proof:
  - { figure: "1999", sentence: Sentence Full., source: Source Full }
examples:
  startups: { startingPoint: Start Full., work: Work Full., result: Result Full. }
`;
const named = "founder: { name: Person Named }";

const audiences = ["/startups", "/small-business", "/growth-stage", "/enterprises"];
const withPerson = ["/", ...audiences, "/investors"];
const withSteps = ["/", ...audiences, "/contact"];
const missing = "/no-such-page";

let sites: { full: Product; named: Product; bare: TestSite };
let pages: { full: Map<string, string>; named: Map<string, string>; bare: Map<string, string> };
let dataDir: string;

beforeAll(async () => {
  dataDir = await makeSiteFolder();
  await writeFile(join(dataDir, "facts.yaml"), full);
  await writeFile(join(dataDir, "portrait.bin"), Buffer.from("\xff\xd8\xff\xe0", "latin1"));
  const folder = await makeDataDir();
  await writeFile(join(folder, "named.yaml"), named);
  const [fullSite, namedSite, bare] = await Promise.all([
    startProduct({}, { dataDir }),
    startProduct({ SITE_FACTS: join(folder, "named.yaml") }),
    startSite(),
  ]);
  sites = { full: fullSite, named: namedSite, bare };
  pages = {
    full: await readPages(fullSite.url),
    named: await readPages(namedSite.url),
    bare: await readPages(bare.url),
  };
});
afterAll(async () => {
  await Promise.all(Object.values(sites).map((site) => site.stop()));
});

/** Reads the public pages, a missing one, and the contact page after a message was sent. */
async function readPages(url: string): Promise<Map<string, string>> {
  const visitor = new Visitor(url);
  const found = new Map<string, string>();
  for (const path of [...publicPaths, missing]) found.set(path, (await visitor.get(path)).html);
  return found.set("sent", (await visitor.postAndFollow("/contact", filledContactForm)).html);
}

/** Lists the pages whose visible text contains a word. */
function findPages(site: Map<string, string>, word: string): string[] {
  return [...site].flatMap(([path, html]) => (readText(html).includes(word) ? [path] : [])).toSorted();
}

function readTitles(html = ""): string[] {
  return readTexts(html, "h[123]");
}

function readBrowserFacts(html = "") {
  return readCompany(/<script[^>]* id="company">(.*?)<\/script>/.exec(html)?.[1] ?? "");
}

function hasLinkedIn(html = ""): boolean {
  return html.includes(builtInCompany.linkedin);
}

/** Checks that a page has these texts in this order. */
function expectOrder(html: string, texts: readonly string[]) {
  const text = readText(html);
  const positions = texts.map((one) => text.lastIndexOf(one));
  expect(positions).toEqual(positions.toSorted((one, other) => one - other));
  expect(positions).not.toContain(-1);
}

describe("a firm that names its founder", () => {
  it("introduces the founder with photograph, principle and role before the call", () => {
    for (const path of withPerson) {
      const html = pages.full.get(path) ?? "";
      const picture = findTags(html, "img").find(({ attributes }) => attributes.src?.startsWith("/portrait/"));
      expect(picture?.attributes, path).toMatchObject({ loading: "lazy" });
      expectOrder(html, ["Principle Full.", "Dr. Person van Full, MD", "Role Full", "Contact Us"]);
    }
    expect(findPages(pages.full, "Role Full")).toEqual([...withPerson, "/about"].toSorted());
    expectOrder(pages.full.get("/") ?? "", [homePage.edge.title, "Role Full", homePage.closing.title]);
    expectOrder(pages.full.get("/startups") ?? "", ["Result Full.", "Role Full", startupsPage.outcome]);
  });

  it("shows the face beside the form, after sending and on missing pages", () => {
    const reads = findPages(pages.full, "Dr. Person van Full, MD reads every message.");
    expect(reads).toEqual(["/contact", missing, "sent"].toSorted());
    for (const path of reads)
      expect(findTags(pages.full.get(path) ?? "", "img").map(({ attributes }) => attributes.src)).toEqual([
        expect.stringMatching(/^\/portrait\//),
      ]);
  });

  it("shows initials where the facts have no photograph", () => {
    for (const path of [...withPerson, "/about", "/contact", "sent", missing]) {
      const html = pages.named.get(path) ?? "";
      expect(html, path).toContain(">PN</span>");
      expect(findTags(html, "img"), path).toEqual([]);
    }
  });
});

describe("steps, proofs and examples", () => {
  it("stand on their pages only", () => {
    for (const step of steps) expect(findPages(pages.full, step)).toEqual(withSteps.toSorted());
    for (const word of ["1999", "Sentence Full.", "Source Full"]) expect(findPages(pages.full, word)).toEqual(["/"]);
    expect(findPages(pages.full, "Start Full. Work Full. Result Full.")).toEqual(["/startups"]);
  });

  it("leave order and number of the page's own parts unchanged", () => {
    // On the contact page, the steps take the place of a shorter text.
    for (const path of publicPaths.filter((one) => one !== "/contact")) {
      const bare = readTitles(pages.bare.get(path));
      expect(
        readTitles(pages.full.get(path)).filter((title) => bare.includes(title)),
        path,
      ).toEqual(bare);
    }
    const [, , , fourth = "", fifth = ""] = startupsPage.offerings.map(({ title }) => title);
    expectOrder(pages.full.get("/startups") ?? "", [fourth, "Start Full.", fifth]);
    expect(pages.full.get("/startups")).toContain('<span class="numeral">5</span>');
  });

  it("reach the scripts of the contact page, and no other page", () => {
    expect(readBrowserFacts(pages.full.get("/contact"))).toMatchObject({
      process: steps,
      founder: { name: "Dr. Person van Full, MD" },
    });
    expect(readBrowserFacts(pages.full.get("/data-rights"))).toMatchObject({ process: [], founder: { name: "" } });
  });

  it("are absent where the facts do not give them", () => {
    for (const [path, html] of [...pages.named, ...pages.bare])
      expect(html, path).not.toMatch(/class="(?:steps|proof-list|example)\b/);
    for (const [path, html] of pages.bare)
      expect([path, html.includes('class="portrait"')]).toEqual([path, path === "/about"]);
  });

  it("are listed for the firm to approve", async () => {
    const { said } = await runCommand("doctor", ["--strict"], dataDir, "", { PORT: "0" });
    for (const word of [
      ...steps,
      "1999: Sentence Full. (Source Full)",
      "Start Full. Work Full.",
      "reads every message",
    ])
      expect(said).toContain(word);
  });
});

describe("a page with everything given", () => {
  it("fits the first round trip", async () => {
    const port = Number(new URL(sites.full.url).port);
    for (const [path, html] of pages.full) {
      // The page after a message has the headers of the form.
      const { bytes, body } = await ask(port, { path: path === "sent" ? "/contact" : path });
      expect(brotliCompressSync(html).byteLength + bytes - body.byteLength, path).toBeLessThan(14_000);
    }
  });
});

describe("a link to a placeholder", () => {
  it("is shown on a local site and absent on a public one", async () => {
    const site = await startSite({ SITE_URL: "https://site.test" });
    const visitor = new Visitor(site.url);
    for (const path of ["/", "/about", missing]) {
      expect([path, hasLinkedIn(pages.bare.get(path))]).toEqual([path, true]);
      expect([path, hasLinkedIn((await visitor.get(path)).html)]).toEqual([path, false]);
    }
    expect((await visitor.get("/about")).html).not.toContain(`href="${builtInCompany.founder.linkedin}"`);
    await site.stop();
  });
});
