import { createHmac } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { readClaims } from "../database/support/postgres/json-web-token.ts";
import { useTestBackend } from "./support/start-backend.ts";

const who = `jsonb_build_object('claims', current_setting('request.jwt.claims', true)::jsonb, 'user', current_user,
  'headers', current_setting('request.headers', true)::jsonb ->> 'x-mark', 'session', session_user)`;

const migrations = {
  "1_attacks.sql": `
    create function public.who() returns jsonb language sql stable as $$ select ${who} $$;
    create function public.echo(words text) returns text language sql stable as 'select words';
    create function public.fail() returns void language plpgsql as $$ begin raise exception 'no'; end $$;
    create function public.run(statement text) returns void language plpgsql as $$ begin execute statement; end $$;`,
};

/** A caller that no key or token of this project describes. */
const visitor = { claims: { role: "anon" }, user: "anon", headers: null, session: "postgres" };

const bearer = (value: string) => ({ authorization: `Bearer ${value}` });
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

const hmac = (hash: string, header: object, claims: object, key: string) => {
  const signed = `${part(header)}.${part(claims)}`;
  return `${signed}.${createHmac(hash, key).update(signed).digest("base64url")}`;
};

const backend = useTestBackend({ migrations });
let secret: string;
let token: string;

beforeAll(async () => {
  const secrets = JSON.parse(await readFile(join(backend.dataDir, "secrets.json"), "utf8")) as { jwtSecret: string };
  secret = secrets.jwtSecret;
  token = (await backend.signIn()).access_token;
});

const call = (name: string, given: object = {}, headers: Record<string, string> = {}, init: RequestInit = {}) =>
  backend.post(`/rest/v1/rpc/${name}`, given, headers, init);
const hs256 = { alg: "HS256", typ: "JWT" };
const otherKey = "x".repeat(48);

type Claims = Record<string, unknown>;
const forgeries: [string, (claims: Claims) => string][] = [
  ["expired", (claims) => hmac("sha256", hs256, { ...claims, exp: 1_700_000_000 }, secret)],
  ["not valid yet", (claims) => hmac("sha256", hs256, { ...claims, nbf: 4_000_000_000 }, secret)],
  ["without an expiry", ({ exp: _exp, ...claims }) => hmac("sha256", hs256, claims, secret)],
  ["without a session", ({ session_id: _session, ...claims }) => hmac("sha256", hs256, claims, secret)],
  ["without a subject", ({ sub: _sub, ...claims }) => hmac("sha256", hs256, claims, secret)],
  ["for another audience", (claims) => hmac("sha256", hs256, { ...claims, aud: "other" }, secret)],
  ["of another key", (claims) => hmac("sha256", hs256, claims, otherKey)],
  ["with alg none", (claims) => `${part({ alg: "none" })}.${part(claims)}.`],
  [
    "with a key in the header",
    (claims) => hmac("sha256", { ...hs256, jwk: { kty: "oct", k: "eA" } }, claims, otherKey),
  ],
  ["with HS512", (claims) => hmac("sha512", { alg: "HS512" }, claims, secret)],
  ["with a changed claim", (claims) => token.replace(/\..*\./, `.${part({ ...claims, sub: crypto.randomUUID() })}.`)],
  ...["service_role", "postgres", "supabase_admin", "anon", ["authenticated"], null].map(
    (role): [string, (claims: Claims) => string] => [
      `of role ${JSON.stringify(role)}`,
      (claims) => hmac("sha256", hs256, { ...claims, role }, secret),
    ],
  ),
];

it.each(forgeries)("refuses a token %s", async (_, forge) => {
  const forged = forge(readClaims(token));
  expect((await call("who", {}, bearer(forged))).status).toBe(401);
  // Neither does the secret key make it good.
  expect((await call("who", {}, { apikey: backend.secretKey, ...bearer(forged) })).status).toBe(401);
  expect((await call("who", {}, { apikey: forged, ...bearer(token) })).status).toBe(401);
});

it.each([
  ["a token as the key", () => ({ apikey: token }), 401],
  ["the secret key as the token", () => bearer(backend.secretKey), 401],
  ["two keys", () => ({ apikey: `${backend.publishableKey}, ${backend.secretKey}` }), 401],
  ["two tokens", () => ({ authorization: `Bearer ${token}, Bearer ${token}` }), 401],
  ["a part of the secret key", () => ({ apikey: backend.secretKey.slice(0, -1) }), 401],
  ["the secret key in other letters", () => ({ apikey: backend.secretKey.toUpperCase() }), 401],
  ["another scheme, which is no token", () => ({ authorization: `Basic ${token}` }), "anon"],
  ["its own publishable key as the token", () => bearer(backend.publishableKey), "anon"],
  [
    "the publishable key as the token of the secret key",
    () => ({ apikey: backend.secretKey, ...bearer(backend.publishableKey) }),
    "service_role",
  ],
])("gives %s no more than its rights", async (_, headers, expected) => {
  const response = await call("who", {}, headers());
  const body = (await response.json()) as { user?: string };
  expect(response.status === 200 ? body.user : response.status).toBe(expected);
});

it("lends no caller's claims to another call, not after a failure or an abort either", async () => {
  const claims = readClaims(token);
  const other = { ...claims, sub: crypto.randomUUID() };
  const tokens = [token, hmac("sha256", hs256, other, secret)];
  const calls = Array.from({ length: 200 }, async (_, at): Promise<unknown[]> => {
    const mark = { "x-mark": String(at) };
    if (at % 5 === 3) return [(await call("fail", {}, { ...mark, ...bearer(token) })).status, 400];
    if (at % 5 === 4) {
      const controller = new AbortController();
      const sent = call("who", {}, { ...mark, ...bearer(token) }, { signal: controller.signal });
      await Promise.resolve();
      controller.abort();
      return sent.then(
        () => ["answered"],
        (error: Error) => [error.name, "AbortError"],
      );
    }
    const own = tokens[at % 5];
    const seen = await (await call("who", {}, own ? { ...mark, ...bearer(own) } : mark)).json();
    const [role, expected] = own ? ["authenticated", readClaims(own)] : ["anon", visitor.claims];
    return [seen, { claims: expected, user: role, headers: String(at), session: "postgres" }];
  });
  for (const [seen, expected] of await Promise.all(calls)) expect(seen).toEqual(expected);
  expect(await (await call("who")).json()).toEqual(visitor);
  const setting = "select current_setting('request.jwt.claims', true) as claims";
  expect(await backend.sql(setting)).toEqual([{ claims: "" }]);
});

it.each([
  "set role postgres",
  "select set_config('role', 'service_role', false)",
  "set session authorization service_role",
  `select set_config('request.jwt.claims', '{"role":"service_role","sub":"x"}', false)`,
  `select set_config('request.headers', '{"x-mark":"other"}', false)`,
  "select set_config('transaction_read_only', 'on', false)",
  "do 'begin commit; end'",
  "commit",
  "prepare transaction 'a'",
  "listen a",
])("makes the next caller nobody else after a function ran: %s", async (statement) => {
  await call("run", { statement }, bearer(token));
  expect(await (await call("who")).json()).toEqual(visitor);
  expect(await (await call("who", {}, bearer(token))).json()).toMatchObject({ user: "authenticated" });
  const service = await call("who", {}, { apikey: backend.secretKey });
  expect(await service.json()).toMatchObject({ user: "service_role", claims: { role: "service_role" } });
  expect(await backend.sql("select current_user::text as role")).toEqual([{ role: "postgres" }]);
});

it.each(["'; select 1 --", '"', 'words" => 1); drop function public.who(); --', "words'", "$1", "a.b", ":x", "%s"])(
  "reads SQL as text: %s",
  async (text) => {
    expect((await call("echo", { [text]: 1 })).status).toBe(404);
    expect((await call(encodeURIComponent(text))).status).toBe(404);
    const echoed = await call("echo", { words: text });
    expect(await echoed.json()).toBe(text);
  },
);

it("lets a thousand calls wait, refuses more with Retry-After, and answers all that it accepted", async () => {
  const answers = await Promise.all(Array.from({ length: 10_000 }, () => call("who")));
  const accepted = answers.filter(({ status }) => status === 200);
  const refused = answers.filter((answer) => answer.status === 503 && answer.headers.get("retry-after") === "1");
  // One runs.
  expect([accepted.length, refused.length]).toEqual([1_001, 8_999]);
  for (const answer of accepted) expect(await answer.json()).toEqual(visitor);
  expect((await call("who")).status).toBe(200);
});
