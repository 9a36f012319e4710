import { isDeepStrictEqual } from "node:util";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { EmbeddedBackend } from "#supabase/embedded/embedded-backend.ts";
import { useBackend } from "../database/support/backends.ts";
import { receiveRequest } from "../database/support/data-rights.ts";
import { startEmbeddedTestBackend } from "../database/support/embedded-backend.ts";
import { receive } from "../database/support/examples.ts";
import { startHostedBackend } from "../database/support/hosted-backend.ts";
import { readClaims } from "../database/support/postgres/json-web-token.ts";
import { type RestServer, startPostgrest } from "../database/support/postgres/postgrest.ts";
import { signInAdmin, type TestBackend } from "../database/support/test-backend.ts";
import { isEverything } from "../support/everything.ts";
import { captureRows } from "../support/pool/capture-rows.mjs";
import { differences } from "./support/rest-differences.ts";
import { placeholders, type RestCall, restCalls, type Signature, testFunctions } from "./support/rest-calls.ts";

const seed = Number(process.env.FUZZ_SEED ?? 20_261_128);
const count = isEverything ? 10_000 : 500;

/** A code of each status. */
const codes =
  "22P02 23502 23514 42703 P0001 28000 42501 42883 42P01 25006 23503 23505 54000 PT418 P0002 53100 57P01".split(" ");

/** One of the two backends, with the same people and rows. */
type Side = Awaited<ReturnType<typeof prepare>>;

const signatureQuery = `
  select proname as name, coalesce((
    select json_agg(json_build_object('name', proargnames[place], 'type', format_type(type, null)) order by place)
    from unnest(coalesce(proallargtypes, proargtypes::oid[])) with ordinality as argument (type, place)
    where coalesce(proargmodes[place], 'i') in ('i', 'b')), '[]') as parameters
  from pg_proc where pronamespace = 'public'::regnamespace order by proname`;

describe("a call of the embedded REST API", () => {
  const embedded = useBackend(startEmbeddedTestBackend);
  const hosted = useBackend(startHostedBackend);
  let rest: RestServer;
  let ours: Side;
  let theirs: Side;

  beforeAll(async () => {
    for (const backend of [embedded, hosted]) await backend.exec(testFunctions);
    // Started after the test's functions exist, because PostgREST reads the catalog when it starts.
    rest = await startPostgrest(hosted.postgres);
    ours = await prepare(embedded, embedded.embedded, (token) => token);
    const signAgain = (token: string) => rest.signToken(readClaims(token));
    const withUrl = { ...rest, url: "http://hosted.localhost" };
    theirs = await prepare({ ...hosted, exec: hosted.postgres.exec }, withUrl, signAgain);
  });
  afterAll(() => rest?.close());

  it(`is answered as by PostgREST, ${count} times (seed ${seed})`, async () => {
    const signatures = await embedded.sql<Signature>(signatureQuery);
    expect(await hosted.sql(signatureQuery)).toEqual(signatures);
    const unequal: unknown[] = [];
    const successes = new Set<string>();
    for (const [at, call] of fc.sample(restCalls(signatures), { numRuns: count, seed }).entries()) {
      const difference = differences.find(({ applies }) => applies(call));
      const [got, wanted] = await Promise.all([ours.send(call), theirs.send(call)]);
      if (!isDeepStrictEqual(got, wanted) && !difference?.embedded.test(outcome(got)))
        unequal.push({ at, call, got, wanted, reason: difference?.reason });
      // PostgREST may have changed rows in a call that the embedded backend refuses.
      if (at % 100 === 99 || (difference && wanted.status < 300))
        await Promise.all([ours.restoreRows(), theirs.restoreRows()]);
      if (got.status < 300) successes.add(call.path);
    }
    expect(unequal.slice(0, 5), `${unequal.length} calls of FUZZ_SEED=${seed}`).toEqual([]);
    // A referee of refusals only would prove little.
    expect(successes.size).toBeGreaterThan(20);
  }, 1_800_000);

  it.each(codes)("has PostgREST's status, message, detail and hint for SQLSTATE %s", async (status) => {
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ status });
    const call: RestCall = { role: "admin", method: "POST", path: "/rpc/t_raise", query: "", headers, body };
    // PostgREST adds Retry-After to some statuses, which no caller reads.
    const wanted = await theirs.send(call);
    expect(await ours.send(call)).toMatchObject({ status: wanted.status, body: wanted.body });
  });
});

async function prepare(
  backend: TestBackend,
  entrance: Pick<EmbeddedBackend, "url" | "publishableKey" | "secretKey" | "fetch">,
  sign: (token: string) => string,
) {
  const { url, publishableKey, secretKey } = entrance;
  const [person, admin] = [await backend.signIn(), await signInAdmin(backend)];
  const message = await receive(backend.service);
  const request = await receiveRequest(backend);
  const [mail] = await backend.sql<{ id: string }>(
    "select id from private.email_outbox order by created_at, kind limit 1",
  );
  const ids = [person.id, admin.id, message.data!.submission_id, request.id, mail!.id];
  const own = (text: string) => placeholders.reduce((made, name, at) => made.replaceAll(name, ids[at]!), text);
  const keys = {
    anon: [publishableKey, publishableKey],
    "signed-in": [publishableKey, sign(person.token)],
    admin: [publishableKey, sign(admin.token)],
    "secret key": [secretKey, secretKey],
  } as const;
  return {
    restoreRows: await captureRows(backend),
    send: async ({ role, method, path, query, headers, body }: RestCall) => {
      const [apikey, token] = keys[role];
      const response = await entrance.fetch(`${url}/rest/v1${path}${query ? `?${own(query)}` : ""}`, {
        method,
        headers: { ...headers, apikey, authorization: `Bearer ${token}` },
        body: method === "GET" || method === "HEAD" ? null : own(body),
      });
      const compared = [...response.headers].filter(([name]) => !ignored.includes(name));
      return {
        status: response.status,
        headers: Object.fromEntries(compared),
        body: normalize(await response.text(), path),
      };
    },
  };
}

/** Headers of the transport, and one that names the only schema. */
const ignored = ["date", "server", "transfer-encoding", "connection", "content-length", "content-profile"];

/** Functions whose result is random, or lists accounts, of which the embedded backend has one more. Compared by status. */
const random = ["/rpc/create_recovery_codes", "/rpc/read_people", "/rpc/own_account"];

const isError = /^\{"code":/;

/** Replaces what differs between any two projects, and the hint of PGRST202: similar names, which we do not search. */
function normalize(body: string, path: string): string {
  if (random.includes(path) && !isError.test(body)) return "…";
  // PostgREST escapes more characters.
  const text = isError.test(body) ? JSON.stringify(JSON.parse(body)) : body;
  const compared = text
    .replace("DateStyle", "datestyle")
    .replaceAll(/DR-\w{4}-\w{4}/g, "(reference)")
    .replace(/("code":"PGRST202".*"hint":)(?:null|"(?:[^"\\]|\\.)*")/s, "$1…")
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi, "(id)")
    .replaceAll(/[0-9a-f]{16}@example/g, "(name)@example")
    .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:\+00(?::00)?|Z)?/g, "(time)")
    // Links and hashes of rows that each database makes by itself.
    .replaceAll(/(?<=token=)[\w-]{43}/g, "(token)")
    .replaceAll(/\b[0-9a-f]{64}\b/g, "(hash)");
  // It returns rows in the order in which it changed them, which the planner chooses anew once it has statistics.
  if (path !== "/rpc/claim_due_mail" || !compared.startsWith("[")) return compared;
  return JSON.stringify((JSON.parse(compared) as object[]).map((row) => JSON.stringify(row)).toSorted());
}

/** Returns status and code, as in "404 PGRST202". */
function outcome({ status, body }: { status: number; body: string }): string {
  return `${status} ${/"code":"([^"]+)"/.exec(body)?.[1] ?? ""}`;
}
