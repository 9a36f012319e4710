import { afterAll, beforeAll, expect } from "vitest";
import { startTestBackend, type TestBackend } from "../../embedded/support/start-backend.ts";
import { testAdmin } from "../../support/test-admin.ts";
import { type HostedSite, startHostedSite } from "./hosted-site.ts";

/** One of the two authentication services, as supabase-js reaches it. */
export interface SignInService {
  fetch: TestBackend["fetch"];
  url: string;
  publishableKey: string;
  credentials: { email: string; password: string };
}

/** The parts of a response that a caller can observe: status, error code, and names and types of the body's members. */
export interface ObservedResponse {
  status: number;
  code: unknown;
  shape: unknown;
}

/** Tokens of a session. */
export interface Session {
  access_token: string;
  refresh_token: string;
}

/** The real authentication service and the embedded one. */
interface BothServices {
  real: SignInService;
  embedded: SignInService;
  /** Calls both, and returns what the real one and then the embedded one responds. */
  call(send: (service: SignInService) => Promise<Response>): Promise<[ObservedResponse, ObservedResponse]>;
  /** Calls both and fails if their responses differ. @returns the response of the real one */
  expectSame(send: (service: SignInService) => Promise<Response>): Promise<ObservedResponse>;
  /** The same. @returns the status alone */
  sameStatus(send: (service: SignInService) => Promise<Response>): Promise<number>;
  /** Makes something at both. @returns how to find a service's own */
  each<Made>(make: (service: SignInService) => Promise<Made>): Promise<(service: SignInService) => Made>;
}

/** Registers hooks that start both services for a file. */
export function useBothServices(): BothServices {
  let site: HostedSite | undefined;
  let backend: TestBackend | undefined;
  const both = {
    call: async (send) => [await observe(await send(both.real)), await observe(await send(both.embedded))],
    expectSame: async (send) => {
      const [ofReal, ofEmbedded] = await both.call(send);
      expect(ofEmbedded).toEqual(ofReal);
      return ofReal;
    },
    sameStatus: async (send) => (await both.expectSame(send)).status,
    each: async (make) => {
      const [ofReal, ofEmbedded] = [await make(both.real), await make(both.embedded)];
      return (service) => (service === both.real ? ofReal : ofEmbedded);
    },
  } as BothServices;
  beforeAll(async () => {
    [site, backend] = await Promise.all([startHostedSite(), startTestBackend()]);
    const { projectUrl: url, keys, admin: credentials } = site;
    both.real = { fetch, url, publishableKey: keys.publishableKey, credentials };
    both.embedded = { ...backend, credentials: testAdmin };
  });
  afterAll(async () => {
    await backend?.close();
    await site?.close();
  });
  return both;
}

/** Calls an endpoint, with POST by default, and with a user's token or only the publishable key. */
export function call(
  service: SignInService,
  path: string,
  init: RequestInit & { token?: string } = {},
): Promise<Response> {
  const { token, ...rest } = init;
  return service.fetch(`${service.url}/auth/v1/${path}`, {
    method: "POST",
    ...rest,
    headers: {
      apikey: service.publishableKey,
      "content-type": "application/json",
      authorization: `Bearer ${token ?? service.publishableKey}`,
    },
  });
}

/** Signs in with the password. */
export function signIn(service: SignInService, changes: object = {}): Promise<Response> {
  const body = JSON.stringify({ ...service.credentials, ...changes });
  return call(service, "token?grant_type=password", { body });
}

/** Signs in and returns the new session. */
export async function sessionOf(service: SignInService): Promise<Session> {
  return readJson<Session>(await signIn(service));
}

/** Signs in and returns the access token. */
export async function tokenOf(service: SignInService): Promise<string> {
  return (await sessionOf(service)).access_token;
}

/** Parses the body without validating it. */
export async function readJson<Body>(response: Response): Promise<Body> {
  return (await response.json()) as Body;
}

async function observe(response: Response): Promise<ObservedResponse> {
  const text = await response.text();
  const body: unknown = text ? JSON.parse(text) : "";
  const code = typeof body === "object" && body !== null && "error_code" in body ? body.error_code : undefined;
  return { status: response.status, code, shape: shapeOf(body) };
}

/** Describes a body without the identities of a user, which no part of the product reads. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (typeof value !== "object" || value === null) return value === null ? "null" : typeof value;
  const members = Object.entries(value).filter(([name]) => name !== "identities");
  return Object.fromEntries(members.map(([name, member]) => [name, shapeOf(member)]));
}
