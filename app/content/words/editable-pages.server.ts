import { aboutPage } from "../pages/about";
import { buildPage } from "../pages/build";
import { contactPage } from "../pages/contact";
import { enterprisesPage } from "../pages/enterprises";
import { growthStagePage } from "../pages/growth-stage";
import { homePage } from "../pages/home";
import { investorsPage } from "../pages/investors";
import { scalePage } from "../pages/scale";
import { smallBusinessPage } from "../pages/small-business";
import { startupsPage } from "../pages/startups";
import { valuePage } from "../pages/value";

/** Pages whose words a firm may change, by the name of their file in the folder of words. */
export const editablePages: Readonly<Record<string, object>> = {
  home: homePage,
  startups: startupsPage,
  "small-business": smallBusinessPage,
  "growth-stage": growthStagePage,
  enterprises: enterprisesPage,
  build: buildPage,
  scale: scalePage,
  value: valuePage,
  investors: investorsPage,
  about: aboutPage,
  contact: contactPage,
};

/**
 * Keys that no file may change, as `page:key` with `*` for any number: addresses and names in the code, names of routes,
 * words that the specification fixes, and words under which somebody consents.
 */
const locked = [
  "*:path",
  "*:line",
  "*:label",
  "*:drawing",
  "*:neighbor.path",
  "*:action.path",
  "*:closing.path",
  "*:*.*.path",
  "home:headline",
  "home:*.path",
  "home:services.(id|title)",
  "home:services.cards.*.(line|label)",
  "home:audiences.(id|title)",
  "home:audiences.cards.*.label",
  "home:edge.title",
  "home:edge.points.*.title",
  "investors:compliance.*",
  "contact:title",
  "contact:variants.*.(stage|goal)",
  "contact:sent.about.path",
  "contact:help.stage.choices",
  "contact:consent.*",
  "contact:(trap|send|sending|optional|choose)",
];

/** Tells whether a file may not change this key. */
export function isLocked(page: string, key: string): boolean {
  const place = `${page}:${key}`;
  return locked.some((pattern) =>
    new RegExp(`^${pattern.replaceAll(".", "\\.").replaceAll("*", "[^:.]+")}$`).test(place),
  );
}
