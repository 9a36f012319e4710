import { instantFormat, isInstant } from "~/lib/dates";

/** One table row: plain values by column name, e.g. `medianDays`. */
export type TableRow = Readonly<Record<string, string | number | boolean | null | undefined>>;

/**
 * Writes rows as a Markdown table, or "None." if there are none.
 * @param timeZone for the times in it
 */
export function writeTable(rows: readonly TableRow[], timeZone: string): string {
  if (rows.length === 0) return "None.";
  const format = instantFormat(timeZone);
  const keys = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const body = rows.map((row) => keys.map((key) => writeCell(row[key], format)));
  return [keys.map(inWords), keys.map(() => "---"), ...body].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function writeCell(value: TableRow[string], format: (instant: string) => string): string {
  if (value === null || value === undefined || value === "") return "–";
  if (typeof value === "boolean") return value ? "yes" : "no";
  const text = String(value);
  return isInstant(text) ? format(text) : escapeMarkdown(text);
}

/** Escapes a text so that it cannot become markup, a row or a heading: visitors control their browser's user agent. */
export function escapeMarkdown(text: string): string {
  const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return escaped.replaceAll(/[\\`*|[\]]/g, String.raw`\$&`).replaceAll(/\s+/g, " ");
}

/** Turns "medianDays" and "median_days" into "Median days". */
function inWords(key: string): string {
  const words = key
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .replaceAll("_", " ")
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
