import article from "~/styles/article.css?inline";
import artifact from "~/styles/artifact.css?inline";
import common from "~/styles/common.css?inline";
import cards from "~/styles/cards.css?inline";
import claims from "~/styles/claims.css?inline";
import contactForm from "~/styles/contact-form.css?inline";
import cookieTable from "~/styles/cookie-table.css?inline";
import dataRights from "~/styles/data-rights.css?inline";
import dialog from "~/styles/dialog.css?inline";
import fields from "~/styles/fields.css?inline";
import hero from "~/styles/hero.css?inline";
import legalText from "~/styles/legal-text.css?inline";
import optionalSections from "~/styles/optional-sections.css?inline";
import person from "~/styles/person.css?inline";

/** A sheet for parts that few pages have, and a pattern that finds one of its classes in a page. */
interface PartSheet {
  sheet: string;
  isOn: RegExp;
}

const partSheets: PartSheet[] = [
  hero,
  cards,
  person,
  claims,
  optionalSections,
  artifact,
  dialog,
  fields,
  contactForm,
  legalText,
  article,
  cookieTable,
  dataRights,
].map((sheet) => ({
  sheet,
  isOn: new RegExp(`class="(?:[^"]* )?(?:${listClasses(sheet).join("|")})[ "]`),
}));

/**
 * Finds the styles of a page: the common ones and those of each part that stands on it.
 * @param body markup of the page
 * @param needsAll for pages whose scripts go on to another page within the same document
 */
export function findPageStyles(body: string, needsAll: boolean): string {
  const sheets = partSheets.filter(({ isOn }) => needsAll || isOn.test(body)).map(({ sheet }) => sheet);
  return [common, ...sheets].join("");
}

function listClasses(sheet: string): string[] {
  return [...new Set([...sheet.matchAll(/\.([a-z][\w-]*)/g)].map(([, name = ""]) => name))];
}
