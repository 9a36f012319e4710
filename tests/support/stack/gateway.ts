import type { IncomingMessage } from "node:http";
import { randomBytes } from "node:crypto";
import { signToken } from "../../database/support/postgres/json-web-token.ts";
import { type Forwarded, type Route } from "./proxy.ts";

/** What opens a project, as a hosted one hands it out. */
export interface ProjectKeys {
  publishableKey: string;
  secretKey: string;
  /** signs everybody's tokens (HS256) */
  jwtSecret: string;
}

/** Addresses behind the gateway; a function is missing while it starts. */
export interface Services {
  auth: string;
  rest: string;
  /** by name */
  functions: Record<string, string>;
}

/** New ones, in the form that Supabase has given them since 2025. */
export function newProjectKeys(): ProjectKeys {
  return {
    publishableKey: `sb_publishable_${randomBytes(16).toString("hex")}`,
    secretKey: `sb_secret_${randomBytes(16).toString("hex")}`,
    jwtSecret: randomBytes(32).toString("hex"),
  };
}

/**
 * The paths of a Supabase project. A key stands for a role: the services, which know tokens only, get one that says so in
 * the key's place, unless a person's own token is there. Functions check their callers themselves (`verify_jwt = false`).
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

function toFunction(path: string, { functions }: Services): Forwarded[] {
  const [, name = ""] = /^\/([\w-]+)/.exec(path) ?? [];
  const origin = functions[name];
  return origin ? [{ origin, path }] : [];
}
