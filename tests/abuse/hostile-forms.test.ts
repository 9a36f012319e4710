import { afterAll, beforeAll, expect, it } from "vitest";
import { type FormSite, type HostileForm, fillBody, hostileUnits, startFormSite } from "./hostile-forms";
import { expectBystandersServed } from "./watch-site";

let site: FormSite;
beforeAll(async () => {
  site = await startFormSite();
});
afterAll(() => site?.stop());

it("leaves the site available and returns first parts when every field gets combining marks of two classes", async () => {
  expect(await attack(["\u0345\u0334"])).toEqual([]);
});

it("leaves the site available and returns first parts when fields get other hostile texts in turn", async () => {
  expect(await attack(Object.values(hostileUnits))).toEqual([]);
});

const attack = (units: string[]) => expectBystandersServed(site.product, () => postEverywhere(units));

/** Posts the largest body in each field of each form, the units in turn. @returns what went wrong */
async function postEverywhere(units: string[]): Promise<string[]> {
  const wrong: string[] = [];
  const texts = units.map(fillBody);
  const fields = Object.values(site.forms).flatMap((forms) =>
    forms.flatMap((form) => Object.entries(form.texts).map(([field, kept]) => ({ form, field, kept }))),
  );
  for (const [index, { form, field, kept }] of fields.entries()) {
    const text = texts[index % texts.length] ?? "";
    const mistake = findMistake(await post(form, field, text), text, kept);
    if (mistake !== null) wrong.push(`${field} of ${form.path}: ${mistake}`);
  }
  return wrong;
}

/** Posts a multipart form, which takes the fewest bytes for a character. */
function post({ visitor, path, fields }: HostileForm, field: string, text: string) {
  const form = new FormData();
  for (const [name, value] of Object.entries({ ...fields, [field]: text })) form.append(name, value);
  return visitor.post(path, form);
}

/** Finds what is wrong with the response: the form must come back with the text's first part, and must say so. */
function findMistake({ status, html }: { status: number; html: string }, text: string, kept: number): string | null {
  if (status >= 500) return `status ${status}`;
  if (kept === 0) return null;
  if (status < 400) return `status ${status}`;
  if (!html.includes(`This page may hold only the first ${kept.toLocaleString("en")}.`)) return "no message";
  if (html.length > text.length) return `a page of ${html.length} characters`;
  const [part, more] = [text.slice(0, kept), text.slice(0, kept + 1)];
  const isPlain = /^[\p{L}\p{M}\d.@]/u.test(text);
  return isPlain && (!html.includes(part) || html.includes(more)) ? "another part of the text" : null;
}
