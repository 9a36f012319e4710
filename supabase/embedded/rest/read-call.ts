import { respondWithError } from "../session/postgrest-error.ts";

/** A call of a function, as a request states it. */
export interface FunctionCall {
  name: string;
  method: "GET" | "POST";
  /** names of the given arguments, and a JSON object of them; a GET has texts only */
  given: string[];
  json: string;
  /** true for one row in place of a list: with another number of rows the call fails, and changes nothing */
  wantsOneRow: boolean;
  /** path without `/rest/v1`, and the headers as JSON, which functions may read */
  path: string;
  headers: string;
}

const oneRow = "application/vnd.pgrst.object+json";

/** Reads a call of a function from a request, or returns PostgREST's refusal. @param body text of the body */
export function readCall({ url, method, headers }: Request, body: string): FunctionCall | Response {
  const { pathname, searchParams } = new URL(url);
  const path = pathname.slice("/rest/v1".length);
  const name = decode(/^\/rpc\/([^/]+)$/.exec(path)?.[1] ?? "");
  // No name contains NUL: PostgreSQL cannot even look for it.
  if (!name || name.includes("\0")) return respondWithError(404, "PGRST125", "Invalid path specified in request URL");
  if (method !== "GET" && method !== "POST")
    return respondWithError(405, "PGRST101", `Cannot use the ${method} method on RPC`);
  const schema = headers.get(method === "GET" ? "accept-profile" : "content-profile") ?? "public";
  if (schema !== "public") return respondWithError(406, "PGRST106", "The schema must be one of the following: public");
  const accepted = (headers.get("accept") ?? "*/*").split(",").map((type) => type.split(";")[0]?.trim());
  const wantsOneRow = accepted[0] === oneRow;
  if (!wantsOneRow && !accepted.some((type) => type === "*/*" || type === "application/json"))
    return respondWithError(415, "PGRST107", `None of these media types are available: ${accepted.join(", ")}`);
  if (method === "POST" && searchParams.size > 0)
    return respondWithError(400, "PGRST100", "The query string of a POST must be empty");
  const given = method === "GET" ? Object.fromEntries(searchParams) : readArguments(headers, body);
  if (given instanceof Response) return given;
  return {
    name,
    method,
    given: Object.keys(given),
    // PostgreSQL reads the text as sent: a number may have more digits than JavaScript keeps.
    json: method === "GET" ? JSON.stringify(given) : body || "{}",
    wantsOneRow,
    path,
    headers: JSON.stringify(Object.fromEntries(headers)),
  };
}

function readArguments(headers: Headers, body: string): object | Response {
  const type = headers.get("content-type")?.split(";")[0]?.trim() ?? "application/json";
  if (type !== "application/json") return respondWithError(400, "PGRST102", `Content-Type not acceptable: ${type}`);
  if (body === "") return {};
  try {
    const given: unknown = JSON.parse(body);
    const isObject = typeof given === "object" && given !== null && !Array.isArray(given);
    if (isObject && !halfCharacter.test(JSON.stringify(given))) return given;
  } catch {
    // Refused below.
  }
  return respondWithError(400, "PGRST102", "Empty or invalid json");
}

/** A surrogate without its other half, as `JSON.stringify` escapes it. */
const halfCharacter = /(?<!\\)(?:\\\\)*\\ud/;

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return "";
  }
}
