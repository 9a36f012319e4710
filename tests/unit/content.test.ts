import { expect, it } from "vitest";
import { company } from "~/content/company";
import { audienceLinks, serviceLinks } from "~/content/navigation";
import { editablePages } from "~/content/words/editable-pages.server";
import { homePage } from "~/content/pages/home";
import { networkWords } from "~/content/pages/network";
import { claims, factPlaceholders } from "~/content/placeholders";
import { ownSegments } from "~/content/site-pages";
import { routes } from "~/routes";
import { runDoctor } from "~/server/commands/doctor/run-doctor.server";
import {
  networkCheckSizes,
  networkFields,
  networkKinds,
  networkQualifications,
} from "#supabase/functions/_shared/network-fields";
import { runInProcess } from "../support/commands/run-in-process";

const pages = Object.values(editablePages);

/** Lists all strings inside a value, with their paths. */
function strings(value: unknown, at = ""): { at: string; text: string }[] {
  if (typeof value === "string") return [{ at, text: value }];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => strings(inner, at === "" ? key : `${at}.${key}`));
}

/** Detects placeholders: brackets, or the top-level domain reserved by RFC 2606. */
const looksMissing = (text: string) => text.includes("[") || text.includes(".example");

it("labels links to audience and service pages as those pages do", () => {
  const labels = new Map(pages.flatMap((page) => ("path" in page && "label" in page ? [[page.path, page.label]] : [])));
  for (const link of [...audienceLinks, ...serviceLinks, ...homePage.services.cards, ...homePage.audiences.cards])
    expect(link.label, link.path).toBe(labels.get(link.path));
});

it("keeps the first segment of every page address as the site's own", () => {
  const segments = Object.keys(routes).map((path) => path.split("/", 1)[0] ?? "");
  expect(ownSegments).toEqual(new Set(segments.filter((segment) => /^\.?[a-z-]+$/.test(segment))));
});

it("offers the values that the investor network accepts, in its order", () => {
  const { fields, kinds, checkSizes, qualifications } = networkWords;
  const accepted = [networkFields, networkKinds, networkCheckSizes, networkQualifications];
  expect([fields, kinds, checkSizes, qualifications].map(Object.keys)).toEqual(accepted);
});

it("lists every placeholder once among the missing facts, and no supplied fact", () => {
  const missing = strings(company).flatMap(({ at, text }) => (looksMissing(text) ? [at] : []));
  /** The working name and the placeholder portrait cannot be recognized by their text. */
  const silent = new Set(["name", "founder.portrait"]);
  const facts = factPlaceholders.map(({ key }) => key);
  expect(facts.filter((key) => !silent.has(key)).toSorted()).toEqual(missing.toSorted());
});

it("prints all missing facts by the operator's command", async () => {
  const { code, said: printed } = await runInProcess(() => runDoctor(["--strict"], { PORT: "0" }));
  expect(code).toBe(2);
  for (const { key, what, says = "" } of [...factPlaceholders, ...claims]) {
    expect(printed).toContain(`- ${key}: ${what}`);
    expect(printed).toContain(says);
  }
});
