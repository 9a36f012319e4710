import { AsyncLocalStorage } from "node:async_hooks";

/**
 * What the edge functions need from their host. In Node each site runs them with a host of its own; in Deno the
 * defaults below read the platform itself.
 */
export interface FunctionHost {
  /** A setting by its name: SUPABASE_URL, SUPABASE_SECRET_KEY, ADMIN_EMAILS, SMTP_URL, MAIL_FROM, CONTACT_TO, SITE_URL… */
  setting(name: string): string | undefined;
  /** Reaches the embedded backend; without it the functions use the network. */
  fetch?: typeof fetch;
  /** Keeps a message as a file, for as long as the outbox has its mail. Only used when no mail server is set. */
  keepMailFile?(name: string, message: Uint8Array): Promise<void>;
  /** When the newest backup was made, in milliseconds since 1970; null: never; undefined, as without it: that is not known. */
  newestBackupAt?(): Promise<number | null | undefined>;
  /** Lets work go on after the answer was sent. The work never rejects. */
  runInBackground?(work: Promise<unknown>): void;
  /** Takes one event for the operator: codes and counts, never personal data. */
  log?(event: LogEvent): void;
}

/** One thing that happened, by name, with codes and counts only. */
export interface LogEvent {
  event: string;
  [key: string]: unknown;
}

/** Runs a function, and everything it starts, with this host: two sites may live in one process. */
export function runWithHost<Result>(host: FunctionHost, work: () => Result): Result {
  return hosts.run(host, work);
}

/**
 * Reads a setting from the injected host, then `Deno.env`, then `process.env`.
 * @returns undefined when it is set nowhere; an empty value counts as not set
 */
export function setting(name: string): string | undefined {
  return hosts.getStore()?.setting(name) || globals.Deno?.env.get(name) || globals.process?.env[name] || undefined;
}

/** The host that runs this, or null where the platform itself runs the functions. */
export function functionHost(): FunctionHost | null {
  return hosts.getStore() ?? null;
}

/** Logs an event through the host, or as one JSON line on the console where there is none. */
export function logEvent(event: LogEvent): void {
  const host = functionHost();
  if (host?.log) host.log(event);
  else console.info(JSON.stringify(event));
}

/** Continues `work` after the response. A failure is logged by its name, never thrown. */
export function runInBackground(work: Promise<unknown>): void {
  const settled = work.catch((error: unknown) => {
    logEvent({ event: "background-work-failed", error: error instanceof Error ? error.name : "unknown" });
  });
  const host = functionHost();
  if (host?.runInBackground) host.runInBackground(settled);
  // Without waitUntil a hosted worker may be frozen as soon as the answer has left.
  else globals.EdgeRuntime?.waitUntil(settled);
}

// On globalThis: a bundler may load this module twice (server build and functions).
const hostsKey = Symbol.for("advisory-website.function-hosts");

const globals = globalThis as {
  [hostsKey]?: AsyncLocalStorage<FunctionHost>;
  Deno?: { env: { get(name: string): string | undefined } };
  EdgeRuntime?: { waitUntil(work: Promise<unknown>): void };
  process?: { env: Record<string, string | undefined> };
};

const hosts = (globals[hostsKey] ??= new AsyncLocalStorage<FunctionHost>());
