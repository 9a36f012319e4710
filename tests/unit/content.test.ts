import { describe, expect, it } from "vitest";
import { company } from "~/content/company";
import { audienceLinks, contactLinkFrom, headerLinks, legalLinks } from "~/content/navigation";
import { aboutPage } from "~/content/pages/about";
import { accessibilityPage } from "~/content/pages/accessibility";
import { buildPage } from "~/content/pages/build";
import { contactPage } from "~/content/pages/contact";
import { enterprisesPage } from "~/content/pages/enterprises";
import { growthStagePage } from "~/content/pages/growth-stage";
import { homePage } from "~/content/pages/home";
import { networkWords } from "~/content/pages/network";
import {
  networkCheckSizes,
  networkFields,
  networkKinds,
  networkQualifications,
} from "#supabase/functions/_shared/network-fields.ts";
import { investorsPage } from "~/content/pages/investors";
import type { OfferingPage } from "~/content/pages/offering-page";
import { scalePage } from "~/content/pages/scale";
import { smallBusinessPage } from "~/content/pages/small-business";
import { startupsPage } from "~/content/pages/startups";
import { valuePage } from "~/content/pages/value";
import { claims, factPlaceholders } from "~/content/placeholders";
import { runDoctor } from "~/server/commands/doctor/run-doctor.server";
import { runInProcess } from "../support/commands/run-in-process";

/** REQUIREMENTS 2.1 and 6.5. */
const routes =
  "/ /startups /small-business /growth-stage /enterprises /build /scale /value /about /contact /investors /privacy-policy /terms-of-service /cookie-policy /data-rights /accessibility /login /admin".split(
    " ",
  );

/** REQUIREMENTS 2.5 and 2.6: number of offerings of each page. */
const offeringPages: readonly (readonly [OfferingPage, number])[] = [
  [startupsPage, 9],
  [smallBusinessPage, 8],
  [growthStagePage, 9],
  [enterprisesPage, 6],
  [buildPage, 6],
  [scalePage, 6],
  [valuePage, 6],
];
const pages = [homePage, ...offeringPages.map(([page]) => page), aboutPage, investorsPage];

/** Lists all strings inside a value, with their paths. */
function strings(value: unknown, at = ""): { at: string; text: string }[] {
  if (typeof value === "string") return [{ at, text: value }];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => strings(inner, at === "" ? key : `${at}.${key}`));
}

function repeated(values: readonly string[]): string[] {
  return values.filter((value, index) => values.indexOf(value) !== index);
}

/** Detects placeholders: brackets, or the top-level domain reserved by RFC 2606. */
const looksMissing = (text: string) => text.includes("[") || text.includes(".example");

describe("offering pages", () => {
  it.each(offeringPages)("$path has the required number of offerings", (page, count) => {
    expect(page.offerings).toHaveLength(count);
    expect(repeated(page.offerings.map((offering) => offering.title))).toEqual([]);
    expect(page.action.path).toBe(`/contact?from=${page.path.slice(1)}`);
  });
});

describe("home, about and investors", () => {
  it("have the required number of items", () => {
    expect(homePage.services.cards.map((card) => card.path)).toEqual(["/build", "/scale", "/value"]);
    expect(homePage.audiences.cards.map((card) => card.path)).toEqual(audienceLinks.map((link) => link.path));
    expect(homePage.edge.points).toHaveLength(4);
    expect(investorsPage.heroActions).toHaveLength(2);
    expect(investorsPage.types.items).toHaveLength(6);
    expect(investorsPage.reasons.items).toHaveLength(6);
    expect(investorsPage.focus.items).toHaveLength(7);
  });

  it("link every button of the investors page to the contact page", () => {
    const targets = [...investorsPage.heroActions, investorsPage.closing].map((action) => action.path);
    expect(targets).toEqual([
      "/contact?about=investors&want=network",
      "/contact?about=investors&want=diligence",
      "/contact?about=investors",
    ]);
  });

  it("name the fields of interest of the investor network", () => {
    expect(Object.values(networkWords.fields)).toEqual(investorsPage.focus.items.map(({ title }) => title));
    expect(Object.keys(networkWords.fields)).toEqual([...networkFields]);
    expect(Object.keys(networkWords.kinds)).toEqual([...networkKinds]);
    expect(Object.keys(networkWords.checkSizes)).toEqual([...networkCheckSizes]);
    expect(Object.keys(networkWords.qualifications)).toEqual([...networkQualifications]);
  });
});

describe("links", () => {
  const chrome = [headerLinks, contactLinkFrom("/"), audienceLinks, legalLinks];
  const paths = strings([pages, chrome]).flatMap(({ at, text }) => (at.endsWith(".path") ? [text] : []));

  it("point to required routes or existing anchors", () => {
    const anchors = [homePage.services.id, homePage.audiences.id].map((id) => `/#${id}`);
    const known = new Set<string>([...routes, ...anchors]);
    expect(paths.filter((path) => !known.has(path.replace(/\?.*/, "")))).toEqual([]);
  });

  it("use the page's own label", () => {
    const labels = new Map(offeringPages.map(([page]) => [page.path, page.label]));
    for (const link of [...audienceLinks, ...homePage.services.cards, ...homePage.audiences.cards]) {
      expect(link.label).toBe(labels.get(link.path));
    }
  });
});

describe("the list of missing facts", () => {
  const missing = strings(company).flatMap(({ at, text }) => (looksMissing(text) ? [at] : []));

  it("has every placeholder once, and no supplied fact", () => {
    /** The working name and the placeholder portrait cannot be recognized by their text. */
    const silent = new Set(["name", "founder.portrait"]);
    const facts = factPlaceholders.map(({ key }) => key);
    expect(facts.filter((key) => !silent.has(key)).toSorted()).toEqual(missing.toSorted());
  });

  it("quotes the claims that only the firm can approve exactly as on the site", () => {
    const site = strings([pages, contactPage, accessibilityPage]).map(({ text }) => text);
    const quoted = claims.flatMap(({ says }) => (says === undefined ? [] : [says]));
    expect(quoted).toHaveLength(12);
    expect(quoted.filter((claim) => !site.some((text) => text.includes(claim)))).toEqual([]);
  });

  it("is printed in full by the operator's command", async () => {
    const { code, said: printed } = await runInProcess(() => runDoctor(["--strict"], { PORT: "0" }));
    expect(code).toBe(2);
    for (const { key, what, says = "" } of [...factPlaceholders, ...claims]) {
      expect(printed).toContain(`- ${key}: ${what}`);
      expect(printed).toContain(says);
    }
  });
});
