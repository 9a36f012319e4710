import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { formatDay, instantFormat, isInstant } from "~/lib/dates";

const title = "What this website holds about one person";

/**
 * A data package as a page that anybody can read: a document of its own, without scripts, styles or links, which can be
 * passed on as it is.
 * @param subjectData the package, e.g. what `export_subject_data` returns
 * @param timeZone of the times shown
 */
export function writeSubjectDataPage(subjectData: Record<string, unknown>, timeZone: string): string {
  const write = createWriter(timeZone);
  const page = (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <title>{title}</title>
      </head>
      <body>
        <h1>{title}</h1>
        <Value value={subjectData} write={write} />
      </body>
    </html>
  );
  return `<!doctype html>\n${renderToStaticMarkup(page)}\n`;
}

/** Writes a plain value. `name` is its field's name, or empty in a list. */
type WriteValue = (name: string, value: unknown) => string;

/** Writes times and days in words, chosen by field name: text that somebody typed stays as typed, even if it looks like a date. */
function createWriter(timeZone: string): WriteValue {
  const formatInstant = instantFormat(timeZone);
  return (name, value) => {
    if (value === null) return "None";
    const text = String(value);
    if (!/(?:^|_)(?:at|on|since)$/.test(name)) return text;
    if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return formatDay(text);
    return isInstant(text) ? formatInstant(text) : text;
  };
}

function Value({ value, name = "", write }: { value: unknown; name?: string; write: WriteValue }) {
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => createElement("li", null, <Value value={item} write={write} />));
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
              <Value value={part} name={field} write={write} />
            </dd>
          </div>
        ))}
      </dl>
    );
  }
  return <pre dir="auto">{write(name, value)}</pre>;
}
