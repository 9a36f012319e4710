import { readdirSync } from "node:fs";
import * as fc from "fast-check";
import { sitePaths } from "./addresses";
import { anyField } from "./headers";

/** A request as raw bytes, which no client library would send. */
export interface RawRequest {
  /** the site, or the server of its metrics */
  to: "site" | "metrics";
  method: string;
  bytes: Buffer;
  /** `sure`: a complete HTTP request; `some`: malformed or incomplete; `none`: the client hangs up at once */
  answer: "sure" | "some" | "none";
}

const under = (folder: string, address: string) => readdirSync(folder).map((name) => `${address}/${name}`);

/** One file of each kind in the build and `public`. */
const files = [
  ...under("public", ""),
  ...under("build/client/share", "/share"),
  ...under("build/client/assets", "/assets"),
];
const onePerKind = [...new Map(files.map((path) => [path.replace(/^(\/\w+\/)?.*\./, "$1."), path])).values()];
const otherPathsOf = {
  health: ["/healthz", "/readyz"],
  missing: ["/missing", "/assets/missing.js", "/share/", "/assets/", "/__proto__"],
  spellings: ["/About/", "//about", "/contact?", "/%", "/%00", "*", ""],
  data: ["/_root.data", "/about.data", "/contact.data", "/admin.data"],
  parameters: ["/favicon.ico?x", "/about?utm_source=a", "/about?cookie-preferences=open", "/network?token=x"],
};
const otherPaths = Object.values(otherPathsOf).flat();
const path = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...onePerKind) },
  { weight: 5, arbitrary: fc.constantFrom(...sitePaths) },
  { weight: 2, arbitrary: fc.constantFrom(...otherPaths) },
);
const method = fc.oneof(
  { weight: 12, arbitrary: fc.constant("GET") },
  { weight: 2, arbitrary: fc.constant("HEAD") },
  { weight: 2, arbitrary: fc.constant("POST") },
  { weight: 1, arbitrary: fc.constantFrom("OPTIONS", "PUT", "DELETE", "TRACE", "CONNECT", "PURGE", "M-SEARCH", "get") },
);

/** Headers that decide where a request ends, or whether it is valid. */
const framing = /^(?:content-length|transfer-encoding|trailer)$/i;
const brokenValue = /[^\t\x20-\x7e\x80-\xff]/;

interface Draft {
  to: RawRequest["to"];
  method: string;
  path: string;
  version: string;
  fields: [name: string, value: string][];
  hangsUp: boolean;
}

/** Generates requests for any kind of file or page with one to three headers, possibly of the same name. */
export const rawRequests: fc.Arbitrary<RawRequest> = fc
  .record<Draft>({
    to: rarely("site", "metrics", 40),
    method,
    path,
    version: fc.oneof({ weight: 9, arbitrary: fc.constant("1.1") }, fc.constantFrom("1.0", "1.2", "2.0")),
    fields: fc.array(anyField, { minLength: 1, maxLength: 3 }),
    hangsUp: rarely(false, true, 19),
  })
  .map(write);

function rarely<Value>(often: Value, seldom: Value, weight: number): fc.Arbitrary<Value> {
  return fc.oneof({ weight, arbitrary: fc.constant(often) }, fc.constant(seldom));
}

function write({ to, method: verb, path: where, version, fields, hangsUp }: Draft): RawRequest {
  const body = verb === "POST" ? "name=Ada" : "";
  const form = { "Content-Type": "application/x-www-form-urlencoded", "Content-Length": String(body.length) };
  const usual = Object.entries({ Host: "localhost", Connection: "close", ...(body && form) });
  const given = new Set(fields.map(([name]) => name.toLowerCase()));
  const all = [...usual.filter(([name]) => !given.has(name.toLowerCase())), ...fields];
  const head = all.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  const target = to === "metrics" && where.length % 2 ? "/metrics" : where;
  const isFramed = fields.every(([name, value]) => !framing.test(name) && !brokenValue.test(value));
  const isKnown = /^[A-Z-]+$/.test(verb) && verb !== "CONNECT" && /^1\.[01]$/.test(version) && where !== "";
  return {
    to,
    method: verb,
    bytes: Buffer.from(`${verb} ${target} HTTP/${version}\r\n${head}\r\n${body}`, "latin1"),
    answer: hangsUp ? "none" : isFramed && isKnown ? "sure" : "some",
  };
}
