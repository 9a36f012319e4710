import * as fc from "fast-check";
import { nameShownText } from "~/features/consent/record/consent-text.server";
import { anyCookies, anyHeaders, anyPath, anyQuery } from "../fuzz/support/addresses";
import { badForms } from "../fuzz/support/forms";
import { anyText } from "../fuzz/support/texts";
import { filledDataRightsForm } from "../support/data-rights";
import { publicPaths } from "../support/page-source";
import { testAdmin } from "../support/product";
import { filledContactForm } from "../support/visitor";

/** A request that an HTTP client can send. */
export interface RandomRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: Buffer;
}

const form = "application/x-www-form-urlencoded";
const post = (path: string, body: Buffer, type = form): RandomRequest => ({
  method: "POST",
  path,
  headers: { "Content-Type": type },
  body,
});
const encode = (fields: Record<string, string>) => Buffer.from(new URLSearchParams(fields).toString());

/** Mostly GET, and methods that no page supports. */
const anyMethod = fc.oneof(
  { weight: 8, arbitrary: fc.constant("GET") },
  fc.constantFrom("HEAD", "OPTIONS", "PUT", "DELETE", "PATCH", "TRACE", "PROPFIND"),
);

const get = fc
  .record({ method: anyMethod, path: anyPath, ending: fc.constantFrom("", "", "", ".data"), query: anyQuery })
  .map(({ method, path, ending, query }) => ({ method, path: `${path}${ending}${query && `?${query}`}`, headers: {} }));
const withCookies = fc
  .tuple(get, anyCookies, anyHeaders)
  .map(([request, cookies, headers]) => ({ ...request, headers: { ...headers, Cookie: cookies } }));
/** Requests of robots and first visits. */
const plain = fc.oneof(fc.constantFrom(...publicPaths), fc.constantFrom("/favicon.ico", "/robots.txt", "/healthz"));
const oversized = fc.oneof(
  fc.integer({ min: 400, max: 9_000 }).map((length) => ({ path: `/${"/a".repeat(length / 2)}`, headers: {} })),
  fc.integer({ min: 1_000, max: 9_000 }).map((length) => ({ path: `/?x=${"a".repeat(length)}`, headers: {} })),
  fc.integer({ min: 100, max: 1_200 }).map((count) => ({
    path: "/a/b",
    headers: { Cookie: Array.from({ length: count }, (_, number) => `_ga_${number}=`).join(";") },
  })),
);
const badPost = fc.oneof(
  ...(
    [
      ["/contact", filledContactForm],
      ["/data-rights", filledDataRightsForm],
      ["/login", testAdmin],
      ["/data-rights/confirm", { token: "A".repeat(43) }],
      ["/consent", { choice: "save", page: "/" }],
      ["/nothing", { nothing: "" }],
    ] as [string, Record<string, string>][]
  ).map(([path, good]) => badForms(good).map(({ type, body }) => post(path, body, type))),
);

/** Plausible text: everything that is accepted must also be stored, listed and mailed. */
const someText = anyText.map((text) => `a ${text}`.slice(0, 90));
const stored = fc.oneof(
  fc
    .tuple(someText, someText, fc.nat(99_999))
    .map(([name, message, number]) =>
      post("/contact", encode({ ...filledContactForm, name, message, email: `visitor-${number}@clinic.example` })),
    ),
  fc
    .tuple(someText, fc.nat(99_999))
    .map(([description, number]) =>
      post("/data-rights", encode({ ...filledDataRightsForm, description, email: `person-${number}@clinic.example` })),
    ),
  {
    weight: 2,
    arbitrary: fc.constantFrom("accept", "reject").map((choice) => {
      const text = nameShownText("banner", false);
      return post("/consent", encode({ choice, source: "banner", text, page: "/about" }));
    }),
  },
);

/** The mix of requests: half of them require rendering, and some of them are stored. */
export const randomRequests: fc.Arbitrary<RandomRequest> = fc.oneof(
  { weight: 30, arbitrary: get },
  { weight: 25, arbitrary: withCookies },
  { weight: 15, arbitrary: plain.map((path) => ({ method: "GET", path, headers: {} })) },
  { weight: 5, arbitrary: oversized.map((request) => ({ method: "GET", ...request })) },
  { weight: 17, arbitrary: badPost },
  { weight: 8, arbitrary: stored },
);
