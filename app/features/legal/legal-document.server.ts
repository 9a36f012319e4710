import { parse as parseYaml } from "yaml";
import { z } from "zod";
import { formatDay } from "~/lib/dates";
import { LegalTextError, renderLegalText } from "./legal-text.server";
import type { LegalValues } from "./legal-values.server";

const versionSchema = z.strictObject({
  version: z.string().regex(/^\d+\.\d+$/),
  /** ISO 8601: the day on which the text was last changed under this version */
  lastUpdated: z.iso.date(),
});

/** Metadata of a legal text, between two lines of `---` at its top. */
const frontMatterSchema = versionSchema.extend({
  title: z.string().min(5).max(45),
  description: z.string().min(110).max(155),
  /** earlier versions, oldest first */
  earlier: z.array(versionSchema).default([]),
});

/**
 * Parses a legal text: YAML front matter, then Markdown whose `##` headings are the numbered sections.
 * @param values the values of its `{{placeholders}}`
 * @throws LegalTextError or ZodError, so that a text with a mistake fails at startup and in tests and never reaches a
 * reader
 */
export function parseLegalDocument(source: string, values: LegalValues) {
  const [, head, body] = /^---\n(.*?)\n---\n(.*)$/s.exec(source) ?? [];
  if (head === undefined || body === undefined) throw new LegalTextError("A legal text begins with front matter");
  const { title, description, earlier, ...present } = frontMatterSchema.parse(parseYaml(head));
  const [introduction, ...parts] = renderLegalText(body, values);
  const sections = parts.map((part, index) => ({
    // Its anchor: a new title breaks old links.
    id: anchor(part.title ?? ""),
    number: index + 1,
    title: part.title ?? "",
    html: part.html,
  }));
  requireUniqueAnchors(sections);
  return {
    title,
    description,
    ...withDate(present),
    /** newest first */
    earlier: earlier.map(withDate).toReversed(),
    /** before the first section; may be empty */
    introduction: introduction?.html ?? "",
    sections,
  };
}

function withDate({ version, lastUpdated }: z.output<typeof versionSchema>) {
  return { version, lastUpdated: { iso: lastUpdated, text: formatDay(lastUpdated) } };
}

function anchor(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^a-z]+/g, "-")
    .replace(/^-|-$/g, "");
}

function requireUniqueAnchors(sections: readonly { id: string }[]): void {
  const ids = new Set(sections.map(({ id }) => id));
  if (ids.size !== sections.length || ids.has("")) throw new LegalTextError("Two sections share an anchor");
}
