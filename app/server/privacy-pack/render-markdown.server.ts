import { instantFormat, isInstant } from "~/lib/dates";

type Plain = string | number | boolean | null | undefined;
type Json = Plain | Json[] | { [key: string]: Json };
type Row = { [key: string]: Json };

/**
 * Writes JSON as Markdown for people: plain values of an object as a list, rows of plain values as a table, and everything
 * else under a heading of its own. Where rows are too deep for a table, the first value of each is its heading.
 * @param timeZone of the times shown
 */
export function renderMarkdown(title: string, value: unknown, timeZone: string): string {
  return `${renderChapter(title, tellTimes(value as Json, instantFormat(timeZone)), 1).join("\n\n")}\n`;
}

/** Replaces every instant by words. */
function tellTimes(value: Json, format: (instant: string) => string): Json {
  if (typeof value === "string") return isInstant(value) ? format(value) : value;
  if (isPlain(value)) return value;
  if (Array.isArray(value)) return value.map((each) => tellTimes(each, format));
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, tellTimes(each, format)]));
}

function renderChapter(title: string, value: Json, level: number): string[] {
  return [`${"#".repeat(Math.min(level, 6))} ${title}`, ...renderBody(value, level)];
}

function renderBody(value: Json, level: number): string[] {
  if (isPlain(value)) return [writePlain(value)];
  if (Array.isArray(value)) return renderArray(value, level);
  const entries = Object.entries(value);
  const lines = entries.flatMap(([key, each]) => (isPlain(each) ? [`- **${inWords(key)}:** ${writePlain(each)}`] : []));
  const deeper = entries.flatMap(([key, each]) => (isPlain(each) ? [] : renderChapter(inWords(key), each, level + 1)));
  return [...(lines.length > 0 ? [lines.join("\n")] : []), ...deeper];
}

function renderArray(values: Json[], level: number): string[] {
  if (values.length === 0) return ["None."];
  if (values.every(isPlain)) return [values.map((each) => `- ${writePlain(each)}`).join("\n")];
  const rows = values as Row[];
  if (rows.every((row) => Object.values(row).every(fitsIntoCell))) return [renderTable(rows)];
  return rows.flatMap((row) => {
    const [[, first], ...rest] = Object.entries(row) as [[string, Json], ...[string, Json][]];
    return renderChapter(writeCell(first), Object.fromEntries(rest), level + 1);
  });
}

function renderTable(rows: Row[]): string {
  const keys = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return [
    renderRow(keys.map(inWords)),
    renderRow(keys.map(() => "---")),
    ...rows.map((row) => renderRow(keys.map((key) => writeCell(row[key])))),
  ].join("\n");
}

function renderRow(cells: string[]): string {
  return `| ${cells.join(" | ")} |`;
}

function isPlain(value: Json): value is Plain {
  return value === null || typeof value !== "object";
}

function fitsIntoCell(value: Json): boolean {
  return isPlain(value) || (Array.isArray(value) && value.every(isPlain));
}

function writeCell(value: Json): string {
  return Array.isArray(value) ? value.map(writeCell).join("; ") : writePlain(value as Plain);
}

/** What a browser calls itself is a visitor's to choose: it becomes neither markup nor another row. */
function writePlain(value: Plain): string {
  if (value === null || value === undefined || value === "") return "–";
  if (typeof value === "boolean") return value ? "yes" : "no";
  const text = String(value).replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return text.replaceAll(/[\\`*|[\]]/g, String.raw`\$&`).replaceAll(/\s+/g, " ");
}

/** "medianDays" and "median_days" become "Median days". */
function inWords(key: string): string {
  const words = key
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .replaceAll("_", " ")
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
