import type { TestBackend } from "../../embedded/support/start-backend.ts";

/** One of the two sign-in services, as supabase-js reaches it. */
export interface SignInService {
  fetch: TestBackend["fetch"];
  url: string;
  publishableKey: string;
  credentials: { email: string; password: string };
}

/** What a caller can tell apart: status, code of the error, and which members the body has, of which type. */
export interface Told {
  status: number;
  code: unknown;
  shape: unknown;
}

/** What a sign-in gives. */
export interface Session {
  access_token: string;
  refresh_token: string;
}

/** @returns what the first service told, and the second */
export async function askBoth(
  [first, second]: [SignInService, SignInService],
  ask: (service: SignInService) => Promise<Response>,
): Promise<[Told, Told]> {
  return [await tell(await ask(first)), await tell(await ask(second))];
}

/** Asks an endpoint, POST unless told otherwise, with somebody's token or nobody's. */
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

/** A new session. */
export async function sessionOf(service: SignInService): Promise<Session> {
  return readJson<Session>(await signIn(service));
}

/** The access token of a new session. */
export async function tokenOf(service: SignInService): Promise<string> {
  return (await sessionOf(service)).access_token;
}

/** The body, which is taken to be what is expected. */
export async function readJson<Body>(answer: Response): Promise<Body> {
  return (await answer.json()) as Body;
}

async function tell(answer: Response): Promise<Told> {
  const text = await answer.text();
  const body: unknown = text ? JSON.parse(text) : "";
  const code = typeof body === "object" && body !== null && "error_code" in body ? body.error_code : undefined;
  return { status: answer.status, code, shape: shapeOf(body) };
}

function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (typeof value !== "object" || value === null) return value === null ? "null" : typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shapeOf(member)]));
}
