import { isLoopback } from "../../../../app/lib/http/loopback.ts";
import { fetchWithTimeout } from "./fetch-with-timeout.ts";

const hookMs = 5_000;

/** Checks an address of the operator that the site reports to: https, or http to this machine. */
export function isHookAddress(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname, username, password } = new URL(address);
  // `fetch` refuses a user or password in an address.
  return (protocol === "https:" || (protocol === "http:" && isLoopback(hostname))) && username + password === "";
}

/**
 * Calls an address of the operator, within five seconds and without following redirects.
 * @param body sent by POST as JSON; without it the call is a GET
 * @returns null, or a code of the failure. It never contains the address, which may be a secret.
 */
export async function callHook(address: string, signal?: AbortSignal, body?: object): Promise<string | null> {
  if (!isHookAddress(address)) return "address-refused";
  const post = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  try {
    const init = { redirect: "manual", signal, ...(body && post) } as const;
    const response = await fetchWithTimeout(fetchHead, hookMs, address, init);
    return response.ok ? null : `http-${response.status}`;
  } catch (error) {
    if (!(error instanceof Error)) return "failed";
    const { code } = (error.cause ?? {}) as { code?: unknown };
    return error.name === "TimeoutError" ? "timeout" : typeof code === "string" ? code : "unreachable";
  }
}

/** Fetches a response without its body, which nobody reads. */
const fetchHead: typeof fetch = async (...call) => {
  const response = await fetch(...call);
  await response.body?.cancel();
  return new Response(null, response);
};
