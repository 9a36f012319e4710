import type { IncomingMessage } from "node:http";
import { randomBytes } from "node:crypto";
import { signToken } from "../../database/support/postgres/json-web-token.ts";
import { type ProxyTarget, type Route } from "./proxy.ts";

/** Keys of a project, as a hosted project issues them. */
export interface ProjectKeys {
  publishableKey: string;
  secretKey: string;
  /** signs all tokens (HS256) */
  jwtSecret: string;
}

/** Addresses behind the gateway. A function is missing while it starts. */
export interface Services {
  auth: string;
  rest: string;
  /** by name */
  functions: Record<string, string>;
}

/** Generates new keys in the format that Supabase introduced in 2025. */
export function newProjectKeys(): ProjectKeys {
  return {
    publishableKey: `sb_publishable_${randomBytes(16).toString("hex")}`,
    secretKey: `sb_secret_${randomBytes(16).toString("hex")}`,
    jwtSecret: randomBytes(32).toString("hex"),
  };
}

/**
 * Routes the paths of a Supabase project. An API key stands for a role, but the services accept only tokens: the
 * gateway sends a token with that role unless the request carries a user's token. Functions check their callers
 * themselves (`verify_jwt = false`).
 */
export function gatewayRoute(keys: ProjectKeys, services: Services): Route {
  const roles = new Map([
    [keys.publishableKey, "anon"],
    [keys.secretKey, "service_role"],
  ]);
  return (request) => {
    const [, service, path = "/"] = /^\/(auth|rest|functions)\/v1(\/.*)$/.exec(request.url ?? "") ?? [];
    if (service === "functions") return toFunction(path, services);
    if (service !== "auth" && service !== "rest") return [];
    const role = roles.get(String(request.headers.apikey ?? ""));
    if (!role) return "Invalid API key";
    return [{ origin: services[service], path, headers: { authorization: authorize(request, role, roles, keys) } }];
  };
}

function authorize(request: IncomingMessage, role: string, roles: Map<string, string>, keys: ProjectKeys): string {
  const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1];
  const isPerson = token !== undefined && !roles.has(token);
  return `Bearer ${isPerson ? token : signToken({ role }, keys.jwtSecret)}`;
}

function toFunction(path: string, { functions }: Services): ProxyTarget[] {
  const [, name = ""] = /^\/([\w-]+)/.exec(path) ?? [];
  const origin = functions[name];
  return origin ? [{ origin, path }] : [];
}
