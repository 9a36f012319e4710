import { fetchWithTimeout } from "#supabase/functions/_shared/host/fetch-with-timeout";
import {
  type BackendService,
  type BackendFault,
  backendFaults,
  diagnoseError,
  diagnoseResponse,
} from "../../../backend/calls/backend-diagnostics.server";
import { signCalls } from "../../../backend/calls/sign-calls.server";
import { edgeFunctions } from "../../../backend/edge-functions.server";
import { compareMigrations } from "../../../backend/health-probe.server";
import { type Finding, type Installation, fix, lookAt, notChecked, ok } from "../finding.server";

const timeoutMs = 6_000;

/** A hosted project, by the site's settings. */
interface Project {
  url: string;
  publishableKey: string;
  siteKey: string | undefined;
}

/** Asks the services and each edge function of a project one question that changes nothing. */
export async function checkProject({ settings }: Installation): Promise<Finding[]> {
  const { backend, siteKey } = settings;
  if (backend.kind === "embedded") return [];
  const project = { ...backend, siteKey };
  const [migrations, signUp, key, ...functions] = await Promise.all([
    checkMigrations(project),
    checkSignUp(project),
    checkSiteKey(project),
    ...Object.keys(edgeFunctions).map((name) => checkFunction(project, name)),
  ]);
  return [...migrations, signUp, ...functions, ...key];
}

async function checkMigrations(project: Project): Promise<Finding[]> {
  const name = "project";
  const found = await call(project, "rest", "/rest/v1/rpc/newest_migration");
  if ("finding" in found) return [found.finding(name)];
  const newest: unknown = await found.response.json().catch(() => undefined);
  if (found.response.status !== 200 || !(newest === null || typeof newest === "string"))
    return [notChecked(name, `It returned ${found.response.status} for its newest migration.`, lookAtLogs)];
  const { missing, isNewer } = compareMigrations(newest ?? "0");
  return [
    ok(name, "It responds, and accepts SUPABASE_PUBLISHABLE_KEY."),
    missing.length > 0
      ? fix("migrations", `The database lacks ${missing.join(", ")}.`, "Run `supabase db push`.")
      : isNewer
        ? lookAt("migrations", "The database is of a later version than this program.", "Run that version here, too.")
        : ok("migrations", "The database has every one."),
  ];
}

/**
 * Reads the public settings of the authentication service. Accounts are for admins only. Another provider's account with
 * an admin's address may open that admin's.
 */
async function checkSignUp(project: Project): Promise<Finding> {
  const name = "authentication";
  const found = await call(project, "auth", "/auth/v1/settings");
  if ("finding" in found) return found.finding(name);
  const settings = ((await found.response.json().catch(() => null)) ?? {}) as {
    disable_signup?: unknown;
    external?: Record<string, unknown>;
  };
  const place = "off in its settings (Authentication, Sign In / Providers).";
  if (settings.disable_signup === false) return fix(name, "Anyone can sign up.", `Switch sign-up ${place}`);
  if (settings.disable_signup !== true)
    return notChecked(name, `It returned ${found.response.status} for its settings.`, lookAtLogs);
  const { email: _email, ...others } = settings.external ?? {};
  const open = Object.keys(others).filter((provider) => others[provider] === true);
  return open.length === 0
    ? ok(name, "It responds, and sign-up and other providers are off.")
    : fix(name, `People can sign in by ${open.join(", ")}.`, `Switch every provider but email ${place}`);
}

/** Every function refuses GET before it reads anything, with a body that no gateway sends. */
async function checkFunction(project: Project, name: string): Promise<Finding> {
  const label = `function ${name}`;
  const found = await call(project, "functions", `/functions/v1/${name}`);
  if ("finding" in found) return found.finding(label);
  const { status } = found.response;
  const { error } = ((await found.response.json().catch(() => null)) ?? {}) as { error?: unknown };
  if (status === 405 && error === "method-not-allowed") return ok(label, "It responds.");
  const text = `Another program responds at its path (status ${status}).`;
  // An error of the gateway may pass; a success in place of the function's refusal does not.
  return found.response.ok
    ? fix(label, text, backendFaults["empty-answer"].remedy)
    : lookAt(label, text, "Check the gateway's path for it, and its log.");
}

/** A signed report without content is refused as invalid; an unsigned one as unsigned. Neither is stored. */
async function checkSiteKey(project: Project): Promise<Finding[]> {
  const name = "SITE_KEY";
  // The settings' own warning covers a missing key.
  if (project.siteKey === undefined) return [];
  const found = await call(project, "functions", "/functions/v1/report-counts", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: "{}",
  });
  const unknown = notChecked(name, "`report-counts` did not respond.", lookAtLogs);
  if ("finding" in found) return [unknown];
  const { error } = ((await found.response.json().catch(() => null)) ?? {}) as { error?: unknown };
  if (error === "invalid") return [ok(name, "The functions accept it.")];
  if (error !== "unsigned") return [unknown];
  const remedy = "Set the functions' secret SITE_KEY to the site's value, and check the clocks.";
  return [fix(name, "The functions do not accept it.", remedy)];
}

const lookAtLogs = "Look into the project's logs, then run this command again.";

type Answer = { response: Response } | { finding: (name: string) => Finding };

async function call(project: Project, service: BackendService, path: string, init?: RequestInit): Promise<Answer> {
  const headers = { apikey: project.publishableKey, ...init?.headers };
  const send = signCalls(fetch, project.siteKey ?? null);
  try {
    const response = await fetchWithTimeout(send, timeoutMs, project.url + path, {
      ...init,
      headers,
      redirect: "manual",
    });
    const cause = await diagnoseResponse(service, response);
    return cause === null ? { response } : { finding: (name) => describe(name, cause) };
  } catch (error) {
    const cause = diagnoseError(error);
    return { finding: (name) => describe(name, cause) };
  }
}

/** A service that did not respond in time may respond a minute later. */
function describe(name: string, cause: BackendFault): Finding {
  const mayPass = cause === "timeout" || cause === "unavailable";
  const { problem, remedy } = backendFaults[cause];
  return (mayPass ? lookAt : fix)(name, problem, remedy);
}
