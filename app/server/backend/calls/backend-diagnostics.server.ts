import { isEmptySuccess } from "#supabase/functions/_shared/host/fetch-with-timeout";

/** The parts of a Supabase project that this site calls. */
export type BackendService = "rest" | "auth" | "functions";

/** What is wrong with a hosted project, as far as a call shows it. */
export type TroubleCause =
  | "unknown-host"
  | "unreachable"
  | "certificate"
  | "timeout"
  | "paused"
  | "unavailable"
  | "not-supabase"
  | "wrong-key"
  | "migration-missing"
  | "function-missing"
  | "function-guarded"
  | "empty-answer";

/** What an operator does about each: the log line ends with it. */
export const remedies: Record<TroubleCause, string> = {
  "unknown-host":
    "The host in SUPABASE_URL has no address. Check its spelling; a project that was paused or deleted loses its name: restore it in the Supabase dashboard.",
  unreachable:
    "Nothing takes connections at SUPABASE_URL. Check the address, the network between, and status.supabase.com.",
  certificate: "The certificate at SUPABASE_URL is not trusted. Check the address, and this machine's clock.",
  timeout:
    "The project did not answer in time. Look at its load in the Supabase dashboard, and at status.supabase.com.",
  paused: "The project is paused. Restore it in the Supabase dashboard.",
  unavailable:
    "The project is there, but this part of it does not work. Look at its health in the Supabase dashboard, and at status.supabase.com.",
  "not-supabase":
    "What answers at SUPABASE_URL is no Supabase project. Set the project's address (https://<ref>.supabase.co), without a path.",
  "wrong-key": "The project refuses SUPABASE_PUBLISHABLE_KEY. Copy the key anew from the dashboard (API keys).",
  "migration-missing": "The database lacks a table or function of this version. Run `supabase db push`.",
  "function-missing": "An edge function is not deployed. Run `supabase functions deploy`.",
  "function-guarded":
    "The project asks callers of an edge function for a token. Deploy it with supabase/config.toml, where `verify_jwt = false`.",
  "empty-answer":
    "A gateway at SUPABASE_URL answered 200 with nothing: it does not know the path of a service or of an edge function. Add the path, and let it answer 404 to all others (docs/OPERATIONS.md, Self-hosted, step 7).",
};

/**
 * Whether the service is down, so that the next call would fail as well. A 4xx or a plain 500 does not count: the service
 * is up, and a visitor who finds a request that causes a 500 must not open the circuit breaker for everybody.
 */
export function isAway(cause: TroubleCause): boolean {
  return ["unknown-host", "unreachable", "certificate", "timeout", "paused", "unavailable", "not-supabase"].includes(
    cause,
  );
}

/** Diagnoses a call that ended without a response. */
export function diagnoseError(error: unknown): TroubleCause {
  if (!(error instanceof Error)) return "unreachable";
  if (error.name === "TimeoutError") return "timeout";
  const code = String((error.cause as { code?: unknown } | undefined)?.code ?? "");
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return "unknown-host";
  if (/CERT|SSL|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code)) return "certificate";
  return code === "UND_ERR_CONNECT_TIMEOUT" || code === "ETIMEDOUT" ? "timeout" : "unreachable";
}

/** Diagnoses a response; null for one that a healthy project may give. */
export async function diagnoseResponse(service: BackendService, response: Response): Promise<TroubleCause | null> {
  const { status } = response;
  const type = response.headers.get("content-type") ?? "";
  if (await isEmptySuccess(response)) return "empty-answer";
  if (response.ok && type.includes("json")) return null;
  // The status of a paused project (Supabase, "HTTP status codes"); a gateway may show a page with it.
  if (status === 540) return "paused";
  const body = (await response.clone().text()).trimStart();
  if (isPage(type, body)) {
    if (status >= 500) return "unavailable";
    // Any other HTML refusal comes from a web application firewall, which a visitor's text may have triggered.
    return status < 400 || status === 404 ? "not-supabase" : null;
  }
  if (response.ok) return null;
  if ([502, 503, 504, 544].includes(status) || (status >= 520 && status < 530)) return "unavailable";
  return diagnoseRefusal(service, status, body);
}

/** Supabase's services respond with JSON or nothing; HTML comes from a proxy in between, or from another site. */
function isPage(type: string, body: string): boolean {
  return body.startsWith("<") && (type === "" || /html|xml|plain/.test(type));
}

function diagnoseRefusal(service: BackendService, status: number, body: string): TroubleCause | null {
  const { code, text } = readRefusal(body);
  if (status === 401 || status === 403) {
    if (/api ?key/i.test(text)) return "wrong-key";
    return service === "functions" && /authorization header|invalid jwt/i.test(text) ? "function-guarded" : null;
  }
  if (status !== 404) return null;
  if (service === "functions") return "function-missing";
  // PostgREST: no such function or table in its schema cache. PostgreSQL: no such table, no such function.
  if (["PGRST202", "PGRST205", "42P01", "42883"].includes(code)) return "migration-missing";
  return service === "rest" && code === "" ? "not-supabase" : null;
}

/** The gateway's words are the same for everybody; they are compared and never logged. */
function readRefusal(body: string): { code: string; text: string } {
  try {
    const { code, message, msg } = JSON.parse(body) as Record<string, unknown>;
    return { code: typeof code === "string" ? code : "", text: [message, msg].filter((it) => it !== undefined).join() };
  } catch {
    return { code: "", text: "" };
  }
}
