import { randomUUID } from "node:crypto";
import { readdirSync } from "node:fs";
import { type FunctionHost, type LogEvent, runWithHost } from "#supabase/functions/_shared/host/runtime.ts";
import { signCalls } from "~/server/backend/calls/sign-calls.server.ts";
import type { EdgeFunction } from "../../../supabase/embedded/functions.ts";
import { newCode } from "../../database/support/examples.ts";
import { type EmbeddedTestBackend, startEmbeddedTestBackend } from "../../database/support/embedded-backend.ts";

/** The embedded backend and the product's functions, hosted as the web server hosts them. */
export interface Site extends EmbeddedTestBackend {
  /** Mutable: the functions read settings for each request. */
  settings: Record<string, string | undefined>;
  host: FunctionHost;
  /** Events logged since the site started. */
  events: LogEvent[];
  /** Calls a function as the site does, signed; a body that is not a string is sent as JSON. */
  call(name: string, body?: unknown, init?: RequestInit): Promise<Response>;
  /** Calls a function unsigned, as any client with the publishable key can. */
  callUnsigned(name: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
  /** Delivers due mail, as the server's timer does. */
  deliver(): Promise<{ delivered: number; failed: number; remaining: number }>;
  /** Waits for the work that continues after the responses. */
  finishBackgroundWork(): Promise<void>;
  /** Makes all waiting mail due now. */
  skipPauses(): Promise<void>;
}

/** The secret that the site shares with its functions. */
export const siteKey = "k".repeat(43);

const names = readdirSync(new URL("../../../supabase/functions/", import.meta.url)).filter(
  (name) => name !== "_shared",
);

/** Starts a site without a mail server and without a folder for mail files. */
export async function startSite(): Promise<Site> {
  const load = async (name: string) => {
    const { default: module } = (await import(`../../../supabase/functions/${name}/index.ts`)) as EdgeFunction;
    return { default: { fetch: (request: Request) => runWithHost(host, () => module.fetch(request)) } };
  };
  const backend = await startEmbeddedTestBackend(Object.fromEntries(names.map((name) => [name, () => load(name)])));
  const { url, publishableKey, secretKey, fetch: reach } = backend.embedded;
  // Otherwise the digest would be among the mails of every test on a working day.
  await backend.sql("insert into private.digests (day) values ('infinity')");
  const settings: Site["settings"] = {
    SUPABASE_URL: url,
    SUPABASE_SECRET_KEY: secretKey,
    MAIL_FROM: "The Firm <website@firm.example>",
    CONTACT_TO: "hello@firm.example",
    SITE_URL: "https://firm.example",
    ACKNOWLEDGEMENTS_PER_HOUR: "0",
    SITE_KEY: siteKey,
  };
  const events: LogEvent[] = [];
  let background: Promise<unknown>[] = [];
  const host: FunctionHost = {
    setting: (name) => settings[name],
    fetch: reach,
    runInBackground: (work) => void background.push(work),
    log: (event) => void events.push(event),
    mailTimes: { busy: 20 },
  };
  const signed = signCalls(reach, siteKey);
  const call: Site["call"] = (name, body, init) =>
    signed(`${url}/functions/v1/${name}`, {
      method: "POST",
      body: typeof body === "string" || body === undefined ? body : JSON.stringify(body),
      ...init,
      // A new client per call, because acknowledgements are limited per client and day.
      headers: { "Content-Type": "application/json", "x-client-code": newCode(), ...init?.headers },
    });
  const finishBackgroundWork = async () => {
    while (background.length > 0) await Promise.all(background.splice(0));
  };
  return {
    ...backend,
    settings,
    host,
    events,
    call,
    callUnsigned: (name, body, headers) =>
      reach(`${url}/functions/v1/${name}`, {
        method: "POST",
        body: JSON.stringify(body),
        headers: { "Content-Type": "application/json", apikey: publishableKey, ...headers },
      }),
    finishBackgroundWork,
    deliver: async () => {
      const response = await call("deliver-outbox", undefined, { headers: { apikey: secretKey } });
      if (response.status !== 200) throw new Error(`deliver-outbox returned ${response.status}`);
      return response.json();
    },
    skipPauses: async () => {
      await backend.sql("update private.email_outbox set next_attempt_at = now(), leased_until = null");
    },
    close: async () => {
      await finishBackgroundWork();
      await backend.close();
    },
  };
}

/** A valid message, different in each call. */
export function newMessage(changes: Record<string, unknown> = {}) {
  return {
    name: "Ada Lovelace",
    email: "ada@example.com",
    company: "Analytical Engines Ltd",
    stage: "Growth-stage company",
    goal: "Grow with less risk",
    message: `Please call me. ${randomUUID()}`,
    honeypot: "",
    privacyConsent: true,
    ...changes,
  };
}

/** A valid data rights request, different in each call. */
export function newRequest(changes: Record<string, unknown> = {}) {
  return {
    name: "Ada Lovelace",
    email: "ada@example.com",
    requestType: "access",
    description: `What do you hold about me? ${randomUUID()}`,
    honeypot: "",
    ...changes,
  };
}
