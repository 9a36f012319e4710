import { hashOf } from "../../inline-scripts.server";
import { type Escape, escapeData, escapeMarkup, escapeTextArea } from "./escape.server";
import { type PagePart, joinGzip, packPart, wrapPart } from "./gzip-parts.server";

/** A page of a form that is whole but for what its visitor typed. */
export interface PageMould {
  readonly status: number;
  /**
   * @param typed the text of every field that the page was made with
   * @returns headers as `writeHead` takes them (name, value, …), and the body
   */
  fill(typed: ReadonlyMap<string, string>, encoding: "gzip" | "identity"): { headerLines: string[]; body: Buffer };
}

interface Gap {
  field: string;
  escape: Escape;
}

/** The data that the page's scripts take over; Remix writes it last. */
const dataScript = /<script>(window\.__remixContext\.streamController\.enqueue\([\s\S]*?)<\/script>/;

/**
 * Cuts a rendered page at the stand-ins for what a visitor types.
 * @param standIns field and text, which must stand nowhere else, and need no escaping
 * @returns null when a text does not stand where it should: once in the markup and once in the data
 */
export async function makeMould(page: Response, standIns: ReadonlyMap<string, string>): Promise<PageMould | null> {
  const html = await page.text();
  const data = dataScript.exec(html);
  if (!data?.[1]) return null;
  const dataStart = data.index + "<script>".length;
  const dataEnd = dataStart + data[1].length;

  const parts: PagePart[] = [];
  const gaps: Gap[] = [];
  const dataTexts: string[] = [];
  let at = 0;
  const takeText = (end: number) => {
    const text = html.slice(at, end);
    parts.push(packPart(text));
    if (end > dataStart && at < dataEnd) dataTexts.push(html.slice(Math.max(at, dataStart), Math.min(end, dataEnd)));
    at = end;
  };
  for (const { start, field, standIn } of findAll(html, standIns)) {
    takeText(start);
    const isData = start > dataStart && start < dataEnd;
    gaps.push({ field, escape: isData ? escapeData : findEscape(html.slice(0, start)) });
    at = start + standIn.length;
  }
  takeText(html.length);
  for (const field of standIns.keys()) {
    const found = gaps.filter((gap) => gap.field === field);
    if (found.length !== 2 || found.filter(({ escape }) => escape === escapeData).length !== 1) return null;
  }

  const policyName = "content-security-policy";
  const policy = (page.headers.get(policyName) ?? "").split(hashOf(data[1]));
  if (policy.length !== 2) return null;
  const sharedLines = [...page.headers].filter(([name]) => name !== policyName).flat();
  const { status } = page;

  return {
    status,
    fill(typed, encoding) {
      const whole: PagePart[] = [];
      const dataWords: string[] = [];
      let dataAt = 0;
      for (const [index, { field, escape }] of gaps.entries()) {
        const text = escape(typed.get(field) ?? "");
        whole.push(parts[index] as PagePart, wrapPart(text));
        if (escape === escapeData) dataWords.push(dataTexts[dataAt++] ?? "", text);
      }
      whole.push(parts.at(-1) as PagePart);
      const body = encoding === "gzip" ? joinGzip(whole) : Buffer.concat(whole.map(({ bytes }) => bytes));
      const dataHash = hashOf(dataWords.join("") + dataTexts.slice(dataAt).join(""));
      const headerLines = [
        ...sharedLines,
        "Content-Security-Policy",
        policy.join(dataHash),
        ...(encoding === "gzip" ? ["Content-Encoding", "gzip"] : []),
        "Content-Length",
        String(body.length),
      ];
      return { headerLines, body };
    },
  };
}

/** Where each stand-in is, from the beginning of the page to its end. */
function findAll(html: string, standIns: ReadonlyMap<string, string>) {
  const fields = new Map([...standIns].map(([field, standIn]) => [standIn, field]));
  if (fields.size === 0) return [];
  return [...html.matchAll(new RegExp([...fields.keys()].join("|"), "g"))].map(({ 0: standIn, index }) => ({
    start: index,
    standIn,
    field: fields.get(standIn) ?? "",
  }));
}

function findEscape(before: string): Escape {
  return /<textarea[^>]*>$/.test(before) ? escapeTextArea : escapeMarkup;
}
