import { expect, it } from "vitest";
import {
  type BackendService,
  type BackendFault,
  backendFaults,
  diagnoseResponse,
  diagnoseError,
} from "./backend-diagnostics.server";

const json = (status: number, body: unknown) => Response.json(body, { status });
const page = (status: number, type?: string) => {
  const response = new Response("  <!doctype html><h1>Words</h1>", { status });
  if (type === undefined) response.headers.delete("content-type");
  else response.headers.set("content-type", type);
  return response;
};

/** Real responses of a project's services, of its gateway, and of servers that are not Supabase. */
const responses: [string, BackendService, Response, BackendFault | null][] = [
  ["rows", "rest", json(200, []), null],
  ["an empty body", "rest", new Response(null, { status: 204 }), null],
  ["rows that begin with <", "rest", new Response('"<b>"', { headers: { "content-type": "text/csv" } }), null],
  ["an error in our SQL", "rest", json(500, { code: "XX000", message: "oops" }), null],
  ["a deleted account", "auth", json(404, { code: 404, error_code: "user_not_found" }), null],
  ["a firewall's page", "functions", page(403, "text/html"), null],
  ["another project's key", "rest", json(401, { message: "Invalid API key", hint: "Double check" }), "wrong-key"],
  ["an expired token", "rest", json(401, { code: "PGRST301", message: "JWT expired" }), null],
  ["no key", "auth", json(401, { message: "No API key found in request" }), "wrong-key"],
  ["a paused project", "rest", json(540, { message: "paused" }), "paused"],
  ["a missing function", "rest", json(404, { code: "PGRST202", message: "Could not find" }), "migration-missing"],
  ["a missing table", "rest", json(404, { code: "PGRST205", message: "Could not find" }), "migration-missing"],
  ["another API", "rest", json(404, { message: "no Route matched with those values" }), "not-supabase"],
  ["a parked address", "functions", page(200, "text/html"), "not-supabase"],
  ["a parked address without a type", "functions", page(200), "not-supabase"],
  ["another server's 404", "auth", page(404, "text/html"), "not-supabase"],
  ["a missing edge function", "functions", json(404, { code: "NOT_FOUND", message: "Function" }), "function-missing"],
  [
    "an edge function that requires a token",
    "functions",
    json(401, { code: 401, message: "Missing authorization header" }),
    "function-guarded",
  ],
  ["a gateway without a server", "rest", page(502, "text/html"), "unavailable"],
  ["an overloaded project", "rest", json(544, { message: "timeout" }), "unavailable"],
];

it.each(responses)("diagnoses %s (%s)", async (_name, service, response, cause) => {
  expect(await diagnoseResponse(service, response)).toBe(cause);
  // The Supabase library still has to read it.
  expect(response.bodyUsed).toBe(false);
});

const broken = (code: string) => Object.assign(new TypeError("fetch failed"), { cause: { code } });

it.each([
  [broken("ENOTFOUND"), "unknown-host"],
  [broken("EAI_AGAIN"), "unknown-host"],
  [broken("ECONNREFUSED"), "unreachable"],
  [broken("CERT_HAS_EXPIRED"), "certificate"],
  [broken("DEPTH_ZERO_SELF_SIGNED_CERT"), "certificate"],
  [broken("UND_ERR_CONNECT_TIMEOUT"), "timeout"],
  [new DOMException("late", "TimeoutError"), "timeout"],
] as const)("diagnoses errors without a response (%#)", (error, cause) => {
  expect(diagnoseError(error)).toBe(cause);
});

it("counts outages against the breaker, but no refusal", () => {
  const outages = Object.entries(backendFaults).flatMap(([cause, { isOutage }]) => (isOutage ? [cause] : []));
  const expected: BackendFault[] = ["certificate", "not-supabase", "paused", "timeout", "unavailable", "unknown-host"];
  expect(outages.toSorted()).toEqual([...expected, "unreachable"]);
});
