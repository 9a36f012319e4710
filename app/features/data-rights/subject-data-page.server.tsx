import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { formatDay, instantFormat, isInstant } from "~/lib/dates";

const title = "What this website holds about one person";

/**
 * Renders a data package as a readable, self-contained document without scripts, styles or links, which can be passed
 * on as it is.
 * @param subjectData the package, e.g. the result of `export_subject_data`
 * @param timeZone zone of the times shown
 */
export function writeSubjectDataPage(subjectData: Record<string, unknown>, timeZone: string): string {
  const format = createFormatter(timeZone);
  const page = (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <title>{title}</title>
      </head>
      <body>
        <h1>{title}</h1>
        <Value value={subjectData} format={format} />
      </body>
    </html>
  );
  return `<!doctype html>\n${renderToStaticMarkup(page)}\n`;
}

/** Formats a plain value. `name` is its field's name, or empty in a list. */
type FormatValue = (name: string, value: unknown) => string;

/**
 * Formats times and days in words. Chooses them by field name: free text stays as typed, even if it looks like a date.
 */
function createFormatter(timeZone: string): FormatValue {
  const formatInstant = instantFormat(timeZone);
  return (name, value) => {
    if (value === null) return "None";
    const text = String(value);
    if (!/(?:^|_)(?:at|on|since)$/.test(name)) return text;
    if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return formatDay(text);
    return isInstant(text) ? formatInstant(text) : text;
  };
}

function Value({ value, name = "", format }: { value: unknown; name?: string; format: FormatValue }) {
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => createElement("li", null, <Value value={item} format={format} />));
    return items.length === 0 ? <p>None</p> : createElement("ol", null, ...items);
  }
  if (typeof value === "object" && value !== null) {
    return (
      <dl>
        {Object.entries(value).map(([field, part]: [string, unknown]) => (
          <div key={field}>
            <dt>
              <strong>{field.replaceAll("_", " ")}</strong>
            </dt>
            <dd>
              <Value value={part} name={field} format={format} />
            </dd>
          </div>
        ))}
      </dl>
    );
  }
  return <pre dir="auto">{format(name, value)}</pre>;
}
