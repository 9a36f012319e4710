import { AsyncLocalStorage } from "node:async_hooks";

/**
 * Services that the host provides to the edge functions. In Node each site passes its own host; in Deno the defaults
 * below read the platform.
 */
export interface FunctionHost {
  /** Returns a setting: SUPABASE_URL, SUPABASE_SECRET_KEY, ADMIN_EMAILS, SMTP_URL, MAIL_FROM, CONTACT_TO, SITE_URL… */
  setting(name: string): string | undefined;
  /** Calls the embedded backend. Without it the project is hosted, and the functions use the network. */
  fetch?: typeof fetch;
  /** Stores a message as a file, for as long as the outbox has its mail. Used only when no mail server is set. */
  keepMailFile?(name: string, message: Uint8Array): Promise<void>;
  /**
   * Returns the time of the newest backup in milliseconds since 1970; null for never; undefined, or no such method, for
   * unknown.
   */
  newestBackupAt?(): Promise<number | null | undefined>;
  /** Limits of sessions with mail servers, for tests and commands. A site has none: production keeps the defaults. */
  mailTimes?: Partial<MailTimes>;
  /** Ends the sessions with mail servers when the site stops. */
  stopping?: AbortSignal;
  /** Ends calls of TROUBLE_URL when the site begins to stop, before it waits for mail. */
  closing?: AbortSignal;
  /** Continues work after the response was sent. The work never rejects. */
  runInBackground?(work: Promise<unknown>): void;
  /** Logs one event for the operator: codes and counts, never personal data. */
  log?(event: LogEvent): void;
}

/** Limits of a session with a mail server and of the pace, in milliseconds. */
export interface MailTimes {
  /** connecting, greeting and TLS */
  greeting: number;
  /** each reply, and each block of the text */
  reply: number;
  /** the whole session; the lease of a mail is longer */
  session: number;
  /** age at which a session gives its place to the next mail; it goes on in the background */
  slow: number;
  /** first pause after a server asked for fewer mails, if it did not say how long */
  busy: number;
}

/** A log event with its name, codes and counts only. */
export interface LogEvent {
  event: string;
  /** absent for information */
  level?: "error" | "warn";
  [key: string]: unknown;
}

/** Runs a function, and everything it starts, with this host. One process may hold two sites. */
export function runWithHost<Result>(host: FunctionHost, work: () => Result): Result {
  return hosts.run({ host }, work);
}

/**
 * Settings that the site stores in the database (public.set_site_facts), so that no function secret repeats them. The
 * firm's postal address is not one: only letters name it, and each keeps its own footer.
 */
export const factNames = [
  "SITE_URL",
  "FIRM_NAME",
  "FOUNDER_NAME",
  "MAIL_CONTENT",
  "REPLY_WITHIN_HOURS",
  "REPLY_DAYS",
  "CLOSED_DAYS",
  "TIME_ZONE",
] as const;

/** The stored facts by name. */
export type SiteFacts = Partial<Record<(typeof factNames)[number], string>>;

/** Runs a function, and everything it starts, with these facts. @param facts null if none are stored */
export function runWithFacts<Result>(facts: SiteFacts | null, work: () => Result): Result {
  return hosts.run({ host: functionHost(), facts }, work);
}

/** Returns the facts of {@link runWithFacts}; undefined outside of it. */
export function currentFacts(): SiteFacts | null | undefined {
  return hosts.getStore()?.facts;
}

/**
 * Reads a setting: a stored fact from the facts alone, anything else from the host, then `Deno.env`, then `process.env`.
 * A secret with the name of a fact is ignored once the site has stored its facts, even one that they leave out.
 * @returns undefined when it is not set; an empty value counts as not set
 */
export function setting(name: string): string | undefined {
  const facts = currentFacts();
  if (facts && isFactName(name)) return facts[name] || undefined;
  return functionHost()?.setting(name) || globals.Deno?.env.get(name) || globals.process?.env[name] || undefined;
}

function isFactName(name: string): name is (typeof factNames)[number] {
  return factNames.some((one) => one === name);
}

/** Returns the current host, or null when the platform runs the functions. */
export function functionHost(): FunctionHost | null {
  return hosts.getStore()?.host ?? null;
}

/** Logs an event through the host, or without one as a line of JSON on the console. */
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
  // Without waitUntil the platform may freeze a worker as soon as the response was sent.
  else globals.EdgeRuntime?.waitUntil(settled);
}

// On globalThis: a bundler may load this module twice (server build and functions).
const hostsKey = Symbol.for("advisory-website.function-hosts");

interface Surroundings {
  /** null on the platform */
  host: FunctionHost | null;
  /** undefined before they are read */
  facts?: SiteFacts | null;
}

const globals = globalThis as {
  [hostsKey]?: AsyncLocalStorage<Surroundings>;
  Deno?: { env: { get(name: string): string | undefined } };
  EdgeRuntime?: { waitUntil(work: Promise<unknown>): void };
  process?: { env: Record<string, string | undefined> };
};

const hosts = (globals[hostsKey] ??= new AsyncLocalStorage<Surroundings>());
