import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { builtInCompany } from "~/content/firm/built-in";
import { readCompany } from "~/content/firm/company-element";
import { homePage } from "~/content/pages/home";
import { startupsPage } from "~/content/pages/startups";
import { ask } from "../support/ask.mjs";
import { runCommand } from "../support/commands/admin-command";
import { findTags, publicPaths, readStructuredData } from "../support/page-source";
import type { Product } from "../support/product";
import { shareSite } from "../support/shared-site";
import { readText } from "../support/visitor";
import { type Pages, factsOf, png, readEverything, readPages, startFirm } from "./support/firms";

const steps = ["Step one.", "Step two.", "Step three."];
const given = `
process: [${steps.join(", ")}]
proof: [{ figure: "1999", sentence: Sentence Two., source: Source Two }]
examples: { startups: { startingPoint: Start Two., work: Work Two., result: Result Two. } }
engagements: [{ what: Review Two, weeks: "4 to 6", feeFrom: $900 }]
people: [{ name: Ada Two, field: Field Two, line: Line Two. }]
clients: [{ name: Client Two, agreed: Letter Two }]`;

/** Matches texts that belong to this firm's pages. */
const wordsOf = (firm: string) =>
  new RegExp(`(?:Firm|Tagline|Street|State of|Arbiter|Person|Role|Agent|Host) ${firm}|firm-${firm.toLowerCase()}`);
const { founder, name, email, linkedin, tagline, address, jurisdiction, arbitrationBody } = builtInCompany;
const factsOfFounder = [founder.linkedin, founder.role, founder.name];
const builtInFacts = [name, email, linkedin, tagline, address, jurisdiction, arbitrationBody, ...factsOfFounder];
/** The built-in facts, and the texts that pages show when the facts do not set them. */
const builtInWords = [...builtInFacts, "reply within 24 hours", "Series 65"];

const missing = "/no-such-page";
/** The public pages, a missing one, and the contact page after a message was sent. */
const listedPaths = [...publicPaths, missing, "sent"];
const withPerson = ["/", "/startups", "/small-business", "/growth-stage", "/enterprises", "/investors"];
const withFace = [...withPerson, "/build", "/scale", "/value", "/contact", missing, "sent"];

/** Has no portrait, and names no steps, proofs or examples. */
let one: Product;
/** Has everything that facts can give. */
let two: Product;
let pagesOfOne: Pages;
let pagesOfTwo: Pages;
let pagesOfBare: Pages;

beforeAll(async () => {
  const ofFounder = "philosophy: Principle Two.\n  portrait: portrait.bin";
  one = await startFirm(factsOf("One", 48, ""));
  two = await startFirm(factsOf("Two", 12, ofFounder) + given, { REPLY_DAYS: "business" });
  [pagesOfOne, pagesOfTwo, pagesOfBare] = await Promise.all([
    readEverything(one),
    readEverything(two),
    readPages((await shareSite()).url, [...publicPaths, missing]),
  ]);
});
afterAll(() => Promise.all([one, two].map((site) => site?.stop())));

const ofPublic = (pages: Pages) => listedPaths.map((path) => [path, pages.get(path) ?? ""] as const);

/** Lists the public pages whose visible text contains a word. */
const findPages = (word: string) =>
  ofPublic(pagesOfTwo)
    .flatMap(([path, html]) => (readText(html).includes(word) ? [path] : []))
    .toSorted();

/** Reads the facts that a page embeds for its scripts. */
const readScriptFacts = (pages: Pages, path: string) =>
  /<script type="application\/json" id="company">(.*?)<\/script>/.exec(pages.get(path) ?? "")?.[1] ?? "";

/** Checks that a page of the second firm has these texts in this order. */
function expectOrder(path: string, ...texts: string[]): void {
  const text = readText(pagesOfTwo.get(path) ?? "");
  const positions = texts.map((each) => text.lastIndexOf(each));
  expect([path, positions]).toEqual([path, positions.toSorted((a, b) => a - b)]);
  expect(positions).not.toContain(-1);
}

describe("one build with the facts of two firms", () => {
  it("shows no fact of the other firm and no built-in fact on any page, in any file or email", () => {
    for (const [pages, other] of [
      [pagesOfOne, "Two"],
      [pagesOfTwo, "One"],
    ] as const)
      for (const [path, text] of pages) {
        const builtIn = builtInWords.filter((word) => text.includes(word));
        expect([path, wordsOf(other).exec(text)?.[0], builtIn]).toEqual([path, undefined, []]);
      }
  });

  it.each([
    ["/privacy-policy", "Firm One", "office@firm-one.test", "Street One", "Agent One", "Host One (hosting)"],
    ["/privacy-policy", "within 48 hours"],
    ["/terms-of-service", "the State of One", "Arbiter One"],
    ["/accessibility", "office@firm-one.test"],
    ["/about", "Person One was here first. And then <i>Agent One</i>.", "Tagline One of <b>&amp;"],
    ["/contact", "We reply within 48 hours."],
    ["/.well-known/security.txt", "Contact: mailto:office@firm-one.test "],
    ["/site.webmanifest", '"name":"Firm One"'],
    ["mails", "Firm One", "will reply within 48 hours,"],
  ])("identifies the firm in %s", (path, ...words) => {
    for (const word of words) expect(readText(pagesOfOne.get(path) ?? "")).toContain(word);
  });

  it("identifies the firm in structured data", () => {
    const [data] = readStructuredData(pagesOfOne.get("/about") ?? "");
    expect(data?.["@graph"]).toContainEqual(
      expect.objectContaining({ name: "Firm One", email: "office@firm-one.test" }),
    );
    expect(data?.["@graph"]).toContainEqual(
      expect.objectContaining({ name: "Person One", sameAs: ["https://firm-one.test/person"] }),
    );
  });

  it("limits its promise to business days everywhere if REPLY_DAYS says so", () => {
    expect(findPages("We reply within 12 hours on business days.")).toContain("/contact");
    for (const [path, html] of pagesOfTwo)
      expect(readText(html), path).not.toMatch(/within 12.hours(?! on business days)/);
    expect(pagesOfTwo.get("mails")).toContain("will reply within 12 hours on business days (Monday to Friday),");
  });

  it("embeds the facts in the page for its scripts, escaped, and the steps only where they are shown", () => {
    const json = readScriptFacts(pagesOfOne, "/contact");
    expect(readCompany(json)).toMatchObject({ name: "Firm One", tagline: "Tagline One of <b>&amp;" });
    expect(json).not.toContain("<");
    expect(pagesOfOne.get("/")).not.toContain("application/json");
    const read = (path: string) => readCompany(readScriptFacts(pagesOfTwo, path));
    expect(read("/contact")).toMatchObject({ process: steps, founder: { name: "Person Two" } });
    expect(read("/data-rights")).toMatchObject({ process: [], founder: { name: "" } });
  });

  it("names the archived consent texts, which name no firm", async () => {
    const archived = (await readdir("app/content/consent-texts")).map((file) => file.slice(0, 16));
    for (const pages of [pagesOfOne, pagesOfTwo]) {
      const hashes = [...(pages.get("/about") ?? "").matchAll(/name="text" value="([0-9a-f]{16})"/g)];
      expect(hashes).not.toEqual([]);
      for (const [, hash] of hashes) expect(archived).toContain(hash);
    }
  });

  it("puts no fact of a firm into browser scripts", async () => {
    const scripts = (await readdir("build/client/assets")).filter((each) => each.endsWith(".js"));
    expect(scripts).not.toEqual([]);
    for (const each of scripts) {
      const script = await readFile(join("build/client/assets", each), "utf8");
      for (const word of builtInFacts) expect(script, each).not.toContain(word);
    }
  });
});

describe("a founder", () => {
  it("is introduced with photograph, principle and role before the call", () => {
    for (const path of withPerson) {
      const images = findTags(pagesOfTwo.get(path) ?? "", "img").map(({ attributes }) => attributes);
      const portrait = images.find(({ src }) => src?.startsWith("/portrait/"));
      expect([path, portrait?.loading]).toEqual([path, "lazy"]);
      expectOrder(path, "Principle Two.", "Person Two", "Role Two", "Contact Us");
    }
    expect(findPages("Role Two")).toEqual([...withPerson, "/about"].toSorted());
    expectOrder("/", homePage.edge.title, "Role Two", homePage.closing.title);
    expectOrder("/startups", "Result Two.", "Role Two", startupsPage.outcome);
  });

  it("has the face before the first section or field of a page", () => {
    expect(findPages("Person Two reads every message.")).toEqual(withFace.toSorted());
    for (const path of withFace.filter((each) => each !== missing)) {
      const html = pagesOfTwo.get(path) ?? "";
      const before = html.slice(html.indexOf("<main"), html.indexOf(" reads every message."));
      expect(before, path).toContain('src="/portrait/');
      expect(before, path).not.toMatch(/<(?:h2|label)/);
    }
  });

  it("has the picture before the story of the about page, once, at an immutable URL of this firm only", async () => {
    const html = pagesOfTwo.get("/about") ?? "";
    expect(findTags(html, "img").map(({ attributes }) => attributes.loading)).toEqual(["eager"]);
    expect(html.indexOf('src="/portrait/')).toBeLessThan(html.indexOf("<h2"));
    const [path = ""] = /\/portrait\/[^"]+/.exec(html) ?? [];
    const response = await fetch(two.url + path);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "image/png",
      "cache-control": "public, max-age=31536000, immutable",
      "x-content-type-options": "nosniff",
    });
    expect(Buffer.from(await response.arrayBuffer())).toEqual(png);
    expect((await fetch(one.url + path)).status).toBe(404);
  });

  it("has initials where the facts have no photograph", () => {
    for (const path of [...withFace, "/about"]) {
      expect(pagesOfOne.get(path), path).toContain(">PO</span>");
      expect(findTags(pagesOfOne.get(path) ?? "", "img"), path).toEqual([]);
    }
  });
});

describe("steps, proofs and examples", () => {
  it("stand on their pages only, in order", () => {
    const places: [paths: string[], ...words: string[]][] = [
      [["/", "/contact", ...withPerson.slice(1, 5)], ...steps],
      [withPerson, "1999", "Sentence Two.", "Source Two"],
      [["/startups"], "Start Two.", "Work Two.", "Result Two."],
      [["/", ...withPerson.slice(1, 5)], "Review Two 4 to 6 weeks from $900", "Client Two"],
      [["/", "/about"], "Ada Two Field Two Line Two."],
      [[], "Letter Two"],
    ];
    for (const [paths, ...words] of places)
      for (const word of words) expect([word, findPages(word)]).toEqual([word, paths.toSorted()]);
    expectOrder("/startups", startupsPage.lead, "1999", "Start Two.", "Result Two.", startupsPage.offeringsTitle);
    expectOrder("/", homePage.lead, "1999", homePage.services.title);
  });

  it("are absent where the facts do not give them", () => {
    for (const [path, html] of [...ofPublic(pagesOfOne), ...ofPublic(pagesOfBare)])
      expect(html, path).not.toMatch(/class="(?:wrap )?(?:steps|proof-list|example)\b/);
    for (const [path, html] of ofPublic(pagesOfBare))
      expect([path, html.includes('class="portrait"')]).toEqual([path, path === "/about"]);
  });

  it("are listed for the firm to approve", async () => {
    const { said } = await runCommand("doctor", ["--strict"], two.dataDir, "", { PORT: "0" });
    const claims = [...steps, "1999: Sentence Two. (Source Two)", "Client Two, Letter Two", "Start Two. Work Two."];
    for (const claim of [...claims, "reads every message"]) expect(said).toContain(claim);
  });

  it("fit the first round trip with the page", async () => {
    const port = Number(new URL(two.url).port);
    for (const [path, html] of ofPublic(pagesOfTwo)) {
      // The page after a message has the headers of the form.
      const { bytes, body } = await ask(port, { path: path === "sent" ? "/contact" : path });
      expect(brotliCompressSync(html).byteLength + bytes - body.byteLength, path).toBeLessThan(14_000);
    }
  });
});
