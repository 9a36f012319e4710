import { isEmptySuccess } from "#supabase/functions/_shared/host/fetch-with-timeout";

/** Services of a Supabase project that this site calls. */
export type BackendService = "rest" | "auth" | "functions";

/** Words about a fault: what `doctor` says of a service or function, and the remedy, with which the log line ends. */
interface FaultWords {
  problem: string;
  remedy: string;
  /**
   * true if the service is down, so that the next call would fail too. A 4xx or a plain 500 does not count: the service is
   * up, and a visitor who finds a request that causes a 500 must not open the circuit breaker for everyone.
   */
  isOutage?: boolean;
}

const faults = {
  "unknown-host": {
    problem: "Its name has no address.",
    remedy:
      "The host in SUPABASE_URL has no address. Check its spelling. A paused or deleted project loses its name: restore it in the Supabase dashboard.",
    isOutage: true,
  },
  unreachable: {
    problem: "It accepts no connection.",
    remedy: "SUPABASE_URL accepts no connections. Check the address, the network, and status.supabase.com.",
    isOutage: true,
  },
  certificate: {
    problem: "Its certificate is not trusted.",
    remedy: "The certificate at SUPABASE_URL is not trusted. Check the address, and this machine's clock.",
    isOutage: true,
  },
  timeout: {
    problem: "It did not respond in time.",
    remedy: "The project did not respond in time. Check its load in the Supabase dashboard, and status.supabase.com.",
    isOutage: true,
  },
  paused: {
    problem: "The project is paused.",
    remedy: "The project is paused. Restore it in the Supabase dashboard.",
    isOutage: true,
  },
  unavailable: {
    problem: "It is down.",
    remedy:
      "The project is reachable, but this service is down. Check its health in the Supabase dashboard, and status.supabase.com.",
    isOutage: true,
  },
  "not-supabase": {
    problem: "Another program responds.",
    remedy:
      "The server at SUPABASE_URL is not a Supabase project. Set the project's address (https://<ref>.supabase.co), without a path.",
    isOutage: true,
  },
  "wrong-key": {
    problem: "It rejects SUPABASE_PUBLISHABLE_KEY.",
    remedy: "The project rejects SUPABASE_PUBLISHABLE_KEY. Copy the key from the dashboard again (API keys).",
  },
  "migration-missing": {
    problem: "The database lacks a migration.",
    remedy: "The database lacks a table or function of this version. Run `supabase db push`.",
  },
  "function-missing": {
    problem: "It is not deployed.",
    remedy: "An edge function is not deployed. Run `supabase functions deploy`.",
  },
  "function-guarded": {
    problem: "It requires a token.",
    remedy: "An edge function requires a token. Deploy it with supabase/config.toml, which sets `verify_jwt = false`.",
  },
  "empty-answer": {
    problem: "The gateway returned an empty 200 in its place.",
    remedy:
      "A gateway at SUPABASE_URL returned 200 with an empty body: it does not know the path of a service or an edge function. Add the path, and return 404 for all others.",
  },
} satisfies Record<string, FaultWords>;

/** Fault of a hosted project, as far as a call reveals it. */
export type BackendFault = keyof typeof faults;

/** Words about each fault. */
export const backendFaults: Readonly<Record<BackendFault, FaultWords>> = faults;

/** Diagnoses a call that ended without a response. */
export function diagnoseError(error: unknown): BackendFault {
  if (!(error instanceof Error)) return "unreachable";
  if (error.name === "TimeoutError") return "timeout";
  const code = String((error.cause as { code?: unknown } | undefined)?.code ?? "");
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return "unknown-host";
  if (/CERT|SSL|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code)) return "certificate";
  return code === "UND_ERR_CONNECT_TIMEOUT" || code === "ETIMEDOUT" ? "timeout" : "unreachable";
}

/** Diagnoses a response. Returns null for one that a healthy project may send. */
export async function diagnoseResponse(service: BackendService, response: Response): Promise<BackendFault | null> {
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

/** Supabase's services send JSON or an empty body; HTML comes from a proxy on the way, or from another site. */
function isPage(type: string, body: string): boolean {
  return body.startsWith("<") && (type === "" || /html|xml|plain/.test(type));
}

function diagnoseRefusal(service: BackendService, status: number, body: string): BackendFault | null {
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

/**
 * Reads code and message of a refusal. The gateway's messages are the same for everyone; they are compared and never
 * logged.
 */
function readRefusal(body: string): { code: string; text: string } {
  try {
    const { code, message, msg } = JSON.parse(body) as Record<string, unknown>;
    return { code: typeof code === "string" ? code : "", text: [message, msg].filter((it) => it !== undefined).join() };
  } catch {
    return { code: "", text: "" };
  }
}
