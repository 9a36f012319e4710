import { createHmac } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { generateKeyPair, SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { useBackend } from "../database/support/backends.ts";
import { startEmbeddedTestBackend } from "../database/support/embedded-backend.ts";
import { readClaims } from "../database/support/postgres/json-web-token.ts";
import { testAdmin } from "../support/test-admin.ts";
import { clientOf } from "./support/client.ts";
import { startTestBackend, type TestBackend } from "./support/start-backend.ts";

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

const hmac = (hash: string, header: object, claims: object, key: Uint8Array) => {
  const signed = `${part(header)}.${part(claims)}`;
  return `${signed}.${createHmac(hash, key).update(signed).digest("base64url")}`;
};

describe("the gateway", () => {
  let backend: TestBackend;
  let secret: Uint8Array;
  let token: string;

  beforeAll(async () => {
    backend = await startTestBackend({ migrations });
    const secrets = JSON.parse(await readFile(join(backend.dataDir, "secrets.json"), "utf8")) as { jwtSecret: string };
    secret = new TextEncoder().encode(secrets.jwtSecret);
    const { data } = await clientOf(backend, backend.publishableKey).auth.signInWithPassword(testAdmin);
    token = data.session!.access_token;
  });
  afterAll(() => backend.remove());

  const call = (name: string, given: object = {}, headers: HeadersInit = {}, init: RequestInit = {}) => {
    const sent = new Headers({ "content-type": "application/json", apikey: backend.publishableKey });
    new Headers(headers).forEach((value, key) => sent.set(key, value));
    const url = `${backend.url}/rest/v1/rpc/${name}`;
    return backend.fetch(url, { method: "POST", headers: sent, body: JSON.stringify(given), ...init });
  };
  const hs256 = { alg: "HS256", typ: "JWT" };
  const otherKey = Buffer.alloc(48, "x");

  type Claims = Record<string, unknown>;
  const forgeries: [string, (claims: Claims) => string | Promise<string>][] = [
    ["expired", (claims) => hmac("sha256", hs256, { ...claims, exp: 1_700_000_000 }, secret)],
    ["not valid yet", (claims) => hmac("sha256", hs256, { ...claims, nbf: 4_000_000_000 }, secret)],
    ["without an expiry", ({ exp: _exp, ...claims }) => hmac("sha256", hs256, claims, secret)],
    ["without a session", ({ session_id: _session, ...claims }) => hmac("sha256", hs256, claims, secret)],
    ["without a subject", ({ sub: _sub, ...claims }) => hmac("sha256", hs256, claims, secret)],
    ["for another audience", (claims) => hmac("sha256", hs256, { ...claims, aud: "other" }, secret)],
    ["of another key", (claims) => hmac("sha256", hs256, claims, otherKey)],
    ["of an empty key", (claims) => hmac("sha256", hs256, claims, new Uint8Array())],
    ["with alg none", (claims) => `${part({ alg: "none" })}.${part(claims)}.`],
    ["with alg None and a signature", (claims) => hmac("sha256", { alg: "None" }, claims, secret)],
    [
      "with a key in the header",
      (claims) => hmac("sha256", { ...hs256, jwk: { kty: "oct", k: "eA" } }, claims, otherKey),
    ],
    ["with a key's address", (claims) => hmac("sha256", { ...hs256, jku: "https://evil.example/" }, claims, otherKey)],
    ["with a key's name", (claims) => hmac("sha256", { ...hs256, kid: "/dev/null" }, claims, new Uint8Array())],
    ["with an unknown critical header", (claims) => hmac("sha256", { ...hs256, crit: ["x"], x: 1 }, claims, secret)],
    ["with HS512", (claims) => hmac("sha512", { alg: "HS512" }, claims, secret)],
    ["with HS256 of another hash", (claims) => hmac("sha512", hs256, claims, secret)],
    ["with RS256 by our secret", (claims) => hmac("sha256", { alg: "RS256" }, claims, secret)],
    [
      "with RS256 by another key",
      async (claims) => {
        const { privateKey } = await generateKeyPair("RS256");
        return new SignJWT(claims).setProtectedHeader({ alg: "RS256" }).sign(privateKey);
      },
    ],
    ["with a changed claim", (claims) => token.replace(/\..*\./, `.${part({ ...claims, sub: crypto.randomUUID() })}.`)],
    ...["service_role", "postgres", "supabase_admin", "anon", ["authenticated"], null].map(
      (role): [string, (claims: Claims) => string] => [
        `of role ${JSON.stringify(role)}`,
        (claims) => hmac("sha256", hs256, { ...claims, role }, secret),
      ],
    ),
  ];

  it.each(forgeries)("refuses a token %s", async (_, forge) => {
    const forged = await forge(readClaims(token));
    expect((await call("who", {}, bearer(forged))).status).toBe(401);
    // Neither does the secret key make it good.
    expect((await call("who", {}, { apikey: backend.secretKey, ...bearer(forged) })).status).toBe(401);
    expect((await call("who", {}, { apikey: forged, ...bearer(token) })).status).toBe(401);
  });

  it("accepts a token that is signed like ours, so that the table above proves something", async () => {
    expect((await call("who", {}, bearer(hmac("sha256", hs256, readClaims(token), secret)))).status).toBe(200);
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
        const signal = AbortSignal.abort();
        const aborted = at % 2 ? call("who", {}, bearer(token), { signal }) : abortSoon(mark);
        return aborted.then(
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

  async function abortSoon(mark: HeadersInit): Promise<Response> {
    const controller = new AbortController();
    const sent = call("who", {}, { ...mark, ...bearer(token) }, { signal: controller.signal });
    await Promise.resolve();
    controller.abort();
    return sent;
  }

  it.each([
    "set role postgres",
    "set role service_role",
    "set local role postgres",
    "reset role",
    "select set_config('role', 'service_role', false)",
    "select set_config('role', 'anon', false)",
    "set session authorization service_role",
    "reset session authorization",
    `select set_config('request.jwt.claims', '{"role":"service_role","sub":"x"}', false)`,
    `select set_config('request.headers', '{"x-mark":"other"}', false)`,
    "select set_config('transaction_read_only', 'on', false)",
    "do 'begin commit; end'",
    "do 'begin rollback; end'",
    "commit",
    "rollback",
    "begin",
    "savepoint a",
    "prepare transaction 'a'",
    "listen a",
    "set local statement_timeout = 1",
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

  it("answers a body of a megabyte", async () => {
    const words = "é".repeat(500_000);
    expect(await (await call("echo", { words })).json()).toBe(words);
  });

  it("lets a thousand calls wait, refuses more with Retry-After, and answers all that it accepted", async () => {
    const headers = { apikey: backend.publishableKey };
    const sent = Array.from({ length: 10_000 }, () => backend.fetch(`${backend.url}/rest/v1/rpc/who`, { headers }));
    const answers = await Promise.all(sent);
    const accepted = answers.filter(({ status }) => status === 200);
    const refused = answers.filter((answer) => answer.status === 503 && answer.headers.get("retry-after") === "1");
    // One runs.
    expect([accepted.length, refused.length]).toEqual([1_001, 8_999]);
    for (const answer of accepted) expect(await answer.json()).toEqual(visitor);
    expect((await call("who")).status).toBe(200);
  });
});

describe("rights on the product's functions", () => {
  const backend = useBackend(startEmbeddedTestBackend);

  it("are exactly those of the database for each role", async () => {
    const { token } = await backend.signIn();
    const callers = { anon: backend.client(), authenticated: backend.client(token), service_role: backend.service };
    for (const [role, client] of Object.entries(callers)) {
      const functions = await backend.sql<{ name: string; names: string[]; is_open: boolean }>(
        `select proname as name, has_function_privilege($1, oid, 'execute') as is_open,
           coalesce(proargnames[1:pronargs], '{}') as names
         from pg_proc where pronamespace = 'public'::regnamespace and prorettype <> 'trigger'::regtype order by 1`,
        [role],
      );
      const open: string[] = [];
      for (const { name, names } of functions) {
        const { error } = await client.rpc(name, Object.fromEntries(names.map((parameter) => [parameter, null])));
        expect(error?.code).not.toBe("PGRST202");
        if (error?.message !== `permission denied for function ${name}`) open.push(name);
      }
      expect(open, role).toEqual(functions.filter(({ is_open }) => is_open).map(({ name }) => name));
    }
  });
});
