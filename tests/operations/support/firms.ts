import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, vi } from "vitest";
import { readEveryPage } from "../../support/every-page";
import { publicPaths } from "../../support/page-source";
import type { Product } from "../../support/product";
import { Visitor, filledContactForm } from "../../support/visitor";

/** Texts of a site by path. */
export type Pages = Map<string, string>;

export const missing = "/no-such-page";

/** The public pages, a missing one, and the contact page after a message was sent. */
export const listedPaths = [...publicPaths, missing, "sent"];

/** Facts of an invented firm. Each text contains the firm's name, which identifies it wherever it appears. */
export function factsOf(firm: string, hours: number, ofFounder: string, more = ""): string {
  const mark = firm.toLowerCase();
  return `
name: Firm ${firm}
tagline: Tagline ${firm} of <b>&amp;
email: office@firm-${mark}.test
linkedin: https://firm-${mark}.test/linkedin
address: Street ${firm}
jurisdiction: the State of ${firm}
arbitrationBody: Arbiter ${firm}
replyWithinHours: ${hours}
founder:
  name: Person ${firm}
  role: Role ${firm}
  linkedin: https://firm-${mark}.test/person
  story: ["Person ${firm} was here first.", And then <i>Agent ${firm}</i>.]
${ofFounder}
representatives: { europeanUnion: Agent ${firm} }
processors: [Host ${firm} (hosting)]
${more}`;
}

/** Reads the pages of {@link listedPaths}. */
export async function readPublic(url: string): Promise<Pages> {
  const visitor = new Visitor(url);
  const pages: Pages = new Map();
  for (const path of [...publicPaths, missing]) pages.set(path, (await visitor.get(path)).html);
  return pages.set("sent", (await visitor.postAndFollow("/contact", filledContactForm)).html);
}

/** Reads every page, file and email of a site, including the email about a refused data rights request. */
export async function readEverything(product: Product): Promise<Pages> {
  const texts = new Map([...(await readPublic(product.url)), ...(await readEveryPage(product))]);
  const admin = new Visitor(product.url);
  await admin.signIn();
  const request = /\/admin\/requests\/[0-9a-f-]{36}/.exec((await admin.get("/admin/requests")).html)?.[0] ?? "";
  await admin.post(request, { intent: "refuse", text: "Not ours to answer." });
  const files = ["/robots.txt", "/sitemap.xml", "/site.webmanifest", "/.well-known/security.txt", "/rules.json"];
  for (const path of files) texts.set(path, (await admin.get(path)).html);
  const mails = join(product.dataDir, "mail");
  const polling = { timeout: 60_000, interval: 200 };
  await vi.waitFor(async () => expect(await readMails(mails)).toContain("Not ours to answer."), polling);
  return texts.set("mails", await readMails(mails));
}

async function readMails(folder: string): Promise<string> {
  const names = (await readdir(folder)).filter((each) => /^[^.].*\.eml$/.test(each));
  const mails = await Promise.all(names.map((each) => readFile(join(folder, each), "utf8")));
  // In quoted-printable text, a line ends with "=" when it continues on the next.
  return mails.join("\n").replaceAll("=\r\n", "").replaceAll("\r\n", "\n");
}
