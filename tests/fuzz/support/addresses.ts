import * as fc from "fast-check";
import { cookies } from "~/content/cookie-registry";
import { routes } from "~/routes";
import { anyText } from "./texts";

/** Every path of the site, with names of parameters such as `:requestId`. */
export const sitePaths = Object.keys(routes)
  .filter((path) => path !== "*")
  .map((path) => `/${path}`);

/** Paths of the site with any text for their parameters, and paths that do not exist. */
export const anyPath = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .tuple(fc.constantFrom(...sitePaths), anyText)
      .map(([path, text]) => path.replace(/:\w+/, () => encodePart(text))),
  },
  { weight: 1, arbitrary: fc.array(anyText, { maxLength: 4 }).map((parts) => `/${parts.map(encodePart).join("/")}`) },
);

/** Names of parameters that pages and the framework read. */
const parameters =
  "folder filter kind field search page token cookie-preferences withdraw _data _routes index id".split(" ");

/** Parameters that pages read, and others. */
export const anyQuery = fc
  .array(fc.tuple(fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...parameters) }, anyText), anyText), {
    maxLength: 3,
  })
  .map((pairs) => pairs.map(([name, value]) => `${encodePart(name)}=${encodePart(value)}`).join("&"));

/** Our cookies with values that we never wrote, and foreign names. */
export const anyCookies = fc
  .array(
    fc.tuple(
      fc.oneof(
        { weight: 6, arbitrary: fc.constantFrom(...Object.values(cookies).map(({ name }) => name), "admin-session.0") },
        fc.constantFrom("__proto__", "constructor", "toString", "", "_ga_X", "_gat"),
      ),
      fc.oneof(
        anyText.map(encodePart),
        anyText,
        anyText.map((text) => Buffer.from(text).toString("base64url")),
        anyText.map((text) => `base64-${Buffer.from(text).toString("base64url")}`),
        fc.json({ maxDepth: 2 }).map((json) => `base64-${Buffer.from(json).toString("base64url")}`),
        fc.json({ maxDepth: 2 }).map((json) => `submissions.${Buffer.from(json).toString("base64url")}`),
        fc.string({ unit: fc.constantFrom(..."v=1.0&abmyt:-Z"), maxLength: 60 }),
      ),
    ),
    { maxLength: 4 },
  )
  .map((pairs) => pairs.map(([name, value]) => `${name}=${value}`).join("; "));

/** Headers that the edge or a library reads. */
const headerNames = (
  "Accept Accept-Encoding Accept-Language If-None-Match If-Modified-Since Range Referer User-Agent X-Forwarded-For " +
  "X-Forwarded-Host X-Forwarded-Proto X-HTTP-Method-Override X-Remix-Revalidate Sec-Fetch-Site Sec-GPC DNT " +
  "Authorization apikey"
).split(" ");

/** Some of these headers with any text. */
export const anyHeaders = fc
  .array(fc.tuple(fc.constantFrom(...headerNames), anyText), { maxLength: 3 })
  .map((pairs) => Object.fromEntries(pairs));

function encodePart(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
