import { readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, vi } from "vitest";
import { readEveryPage } from "../../support/every-page";
import { type Product, startProduct } from "../../support/product";
import { makeSiteFolder } from "../../support/site-folder";
import { Visitor, filledContactForm } from "../../support/visitor";

/** Facts of an invented firm. Each text contains the firm's name, which identifies it wherever it appears. */
export function factsOf(firm: string, hours: number, ofFounder: string): string {
  const site = `firm-${firm.toLowerCase()}.test`;
  return `
name: Firm ${firm}
tagline: Tagline ${firm} of <b>&amp;
email: office@${site}
linkedin: https://${site}/linkedin
address: Street ${firm}
jurisdiction: the State of ${firm}
arbitrationBody: Arbiter ${firm}
replyWithinHours: ${hours}
founder:
  name: Person ${firm}
  role: Role ${firm}
  linkedin: https://${site}/person
  story: ["Person ${firm} was here first.", And then <i>Agent ${firm}</i>.]
  ${ofFounder}
representatives: { europeanUnion: Agent ${firm} }
processors: [Host ${firm} (hosting)]
`;
}

export const png = Buffer.from("\x89PNG\r\n\x1a\n portrait of Two", "latin1");

/** Texts by path. */
export type Pages = Map<string, string>;

/** Starts a site with these facts, and with a portrait that they can name. */
export async function startFirm(facts: string, settings?: Record<string, string>): Promise<Product> {
  const dataDir = await makeSiteFolder();
  await writeFile(join(dataDir, "facts.yaml"), facts);
  await writeFile(join(dataDir, "portrait.bin"), png);
  return startProduct(settings, { dataDir });
}

/** Reads pages of a site, and the contact page after a message was sent. */
export async function readPages(url: string, paths: string[]): Promise<Pages> {
  const [visitor, pages] = [new Visitor(url), new Map<string, string>()];
  for (const path of paths) pages.set(path, (await visitor.get(path)).html);
  return pages.set("sent", (await visitor.postAndFollow("/contact", filledContactForm)).html);
}

/** Reads every page, file and email of a site, including the email about a refused data rights request. */
export async function readEverything(product: Product): Promise<Pages> {
  const files = ["/robots.txt", "/sitemap.xml", "/site.webmanifest", "/.well-known/security.txt", "/rules.json"];
  const pages = new Map([...(await readEveryPage(product)), ...(await readPages(product.url, files))]);
  const admin = new Visitor(product.url);
  await admin.signIn();
  const request = /\/admin\/requests\/[0-9a-f-]{36}/.exec((await admin.get("/admin/requests")).html)?.[0] ?? "";
  await admin.post(request, { intent: "refuse", text: "Not ours to answer." });
  const mails = join(product.dataDir, "mail");
  const readMails = async () => {
    const names = (await readdir(mails)).filter((each) => /^[^.].*\.eml$/.test(each));
    const texts = await Promise.all(names.map((each) => readFile(join(mails, each), "utf8")));
    // In quoted-printable text, a line ends with "=" when it continues on the next.
    const text = texts.join("\n").replaceAll("=\r\n", "").replaceAll("\r\n", "\n");
    expect(text).toContain("Not ours to answer.");
    return text;
  };
  return pages.set("mails", await vi.waitFor(readMails, { timeout: 60_000, interval: 200 }));
}
