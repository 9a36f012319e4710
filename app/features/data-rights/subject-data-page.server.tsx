import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";

const title = "What this website holds about one person";

/**
 * A data package as a page that anybody can read: a document of its own, without scripts, styles or links, which can be
 * passed on as it is.
 * @param subjectData the package, e.g. what `export_subject_data` returns
 */
export function writeSubjectDataPage(subjectData: Record<string, unknown>): string {
  const page = (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <title>{title}</title>
      </head>
      <body>
        <h1>{title}</h1>
        <Value value={subjectData} />
      </body>
    </html>
  );
  return `<!doctype html>\n${renderToStaticMarkup(page)}\n`;
}

function Value({ value }: { value: unknown }) {
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => createElement("li", null, <Value value={item} />));
    return items.length === 0 ? <p>None</p> : createElement("ol", null, ...items);
  }
  if (typeof value === "object" && value !== null) {
    return (
      <dl>
        {Object.entries(value).map(([name, part]: [string, unknown]) => (
          <div key={name}>
            <dt>
              <strong>{name.replaceAll("_", " ")}</strong>
            </dt>
            <dd>
              <Value value={part} />
            </dd>
          </div>
        ))}
      </dl>
    );
  }
  return <pre>{value === null ? "None" : String(value)}</pre>;
}
