import type { RestCall } from "./rest-calls.ts";

/** A deliberate difference between the embedded REST API and PostgREST. */
interface Difference {
  reason: string;
  applies(call: RestCall): boolean;
  /** status and code of the embedded backend's response */
  embedded: RegExp;
}

/** Deliberate differences. The first that applies to a call counts. */
export const differences: Difference[] = [
  {
    reason: "paths other than a function's are not served",
    applies: ({ path }) => !/^\/rpc\/(?!(?:%|%ff|\.)$)[^/]+$/.test(path) || path.endsWith("%00"),
    embedded: /^404 PGRST125$/,
  },
  {
    reason: "nothing sends HEAD or OPTIONS",
    applies: ({ method }) => ["HEAD", "OPTIONS"].includes(method),
    // A response to HEAD has no body.
    embedded: /^405 (?:PGRST101)?$/,
  },
  {
    reason: "a function whose only parameter is JSON also takes exactly its argument",
    applies: ({ path, body, method }) =>
      method === "POST" && onlyJson.test(path) && !/^(?:j|attempts|facts)$/.test(namesOf(body)),
    embedded: /^4/,
  },
  {
    reason: "a function that returns rows of unknown columns is not served",
    applies: ({ path, method }) => path === "/rpc/t_record" && ["GET", "POST"].includes(method),
    embedded: /^4/,
  },
  {
    reason: "only JSON and one row as an object are served, which is checked before all else",
    applies: ({ method, headers: { accept } }) =>
      ["GET", "POST"].includes(method) &&
      accept !== undefined &&
      !accept.split(",").some((type) => responseTypes.includes(type.split(";")[0]!.trim())),
    embedded: /^415 PGRST107$/,
  },
  {
    reason: "a POST has its arguments in the body, so its query is refused",
    applies: ({ method, query }) => method === "POST" && new URLSearchParams(query).size > 0,
    embedded: /^400 PGRST100$/,
  },
  {
    reason: "only JSON is accepted",
    applies: ({ method, headers }) =>
      method === "POST" && !/^application\/json\b|^$/.test(headers["content-type"] ?? ""),
    embedded: /^400 PGRST102$/,
  },
  {
    reason: "a body that is no object has no arguments: PostgREST reads the first element, or none",
    applies: ({ method, body }) => method === "POST" && isOtherJson(body),
    embedded: /^400 PGRST102$/,
  },
  {
    reason: "a byte order mark before the body is dropped, as `Request.text` does",
    applies: ({ method, body }) => method === "POST" && body.startsWith("\ufeff"),
    embedded: /./,
  },
  {
    reason: "filters, order and limits are not read: each name in a query is an argument's",
    applies: ({ method, query }) => method === "GET" && isGrammar(query),
    embedded: /^404 PGRST202$|^400 22P02$|^200 $/,
  },
  {
    reason: "bytes that are not UTF-8 become replacement characters",
    applies: ({ query }) => query.includes("%ff"),
    embedded: /^404 PGRST202$|^400 22P02$/,
  },
];

const responseTypes = ["application/json", "*/*", "application/vnd.pgrst.object+json"];

const onlyJson = /^\/rpc\/(?:t_jsonb|t_setof_jsonb|settle_mails|set_site_facts)$/;

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function isOtherJson(body: string): boolean {
  const parsed = parse(body);
  return parsed !== undefined && (typeof parsed !== "object" || parsed === null || Array.isArray(parsed));
}

function namesOf(body: string): string {
  return Object.keys(parse(body) ?? {}).join();
}

/** Returns true for a query that PostgREST does not read as arguments only. */
function isGrammar(query: string): boolean {
  const options = ["select", "order", "limit", "offset", "and", "or", "columns", "on_conflict", ""];
  const isOption = ([name, value]: [string, string]) =>
    options.includes(name) || /[."]/.test(name) || /^(?:not\.)?(?:eq|in|is)\./.test(value);
  const given = [...new URLSearchParams(query)];
  return given.some(isOption) || (given.length > 0 && !query.includes("="));
}
