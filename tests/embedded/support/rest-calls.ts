import * as fc from "fast-check";
import { anyText } from "../../fuzz/support/texts.ts";

/** A function of the schema `public`: its parameters' names and types. */
export interface Signature {
  name: string;
  parameters: { name: string; type: string }[];
}

/** Senders of calls. */
export const roles = ["anon", "signed-in", "admin", "secret key"] as const;

/**
 * A call of the REST API. Its arguments may contain {@link placeholders}.
 *
 * It is drawn at random: mostly a function of the product with arguments near what it takes, now and then with one
 * missing, one too many, or a value of another type.
 */
export interface RestCall {
  role: (typeof roles)[number];
  method: string;
  /** after `/rest/v1` */
  path: string;
  query: string;
  headers: Record<string, string>;
  body: string;
}

/** Ids that differ between backends. Each backend puts its own in their place. */
export const placeholders = ["id-of-person", "id-of-admin", "id-of-message", "id-of-request", "id-of-mail"];

/** Functions of every kind of result, beside the product's. */
export const testFunctions = `
  create type public.t_pair as (i int, words text);
  create function public.t_void() returns void language sql as '';
  create function public.t_scalar(a int, b text default 'x') returns text language sql as $$ select a || b $$;
  create function public.t_null() returns text language sql as 'select null::text';
  create function public.t_setof() returns setof int language sql as 'select generate_series(1, 3)';
  create function public.t_setof_void() returns setof void language sql as '';
  create function public.t_table(n int) returns table (i int, at timestamptz) language sql as
    $$ select g, '2026-01-01 00:00:00.5+00'::timestamptz from generate_series(1, least(n, 3)) as g $$;
  create function public.t_one_column(n int) returns table (i int) language sql as 'select generate_series(1, least(n, 3))';
  create function public.t_out(out x int, out y text) language sql as $$ select 1, 'y' $$;
  create function public.t_one_out(out x int) language sql as 'select 1';
  create function public.t_in_out(inout x int, z int default 1) language sql as 'select x + z';
  create function public.t_row() returns public.t_pair language sql as $$ select row(1, 'one')::public.t_pair $$;
  create function public.t_null_row() returns public.t_pair language sql as 'select null::public.t_pair';
  create function public.t_rows(n int) returns setof public.t_pair language sql as
    $$ select g, 'x' from generate_series(1, least(n, 3)) as g $$;
  create function public.t_record() returns record language sql as 'select 1, 2';
  create function public.t_jsonb(j jsonb) returns jsonb language sql as 'select j';
  create function public.t_setof_jsonb(j jsonb) returns setof jsonb language sql as 'select j union all select j';
  create function public.t_arrays(t text[], i int[]) returns text[] language sql as 'select t || i::text[]';
  create function public.t_pair_words(p public.t_pair) returns text language sql as 'select p.words';
  create function public.t_raise(status text) returns void language plpgsql as
    $$ begin raise exception using errcode = status, message = 'no', detail = 'd', hint = 'h'; end $$;
  create function public.t_stable() returns text language plpgsql stable as
    $$ begin delete from public.user_roles; return 'written'; end $$;
  create function public.t_write() returns text language plpgsql as
    $$ begin delete from public.user_roles where false; return 'written'; end $$;
  create function public.t_types(
    i2 smallint default null, i8 bigint default null, n numeric default null, f float8 default null,
    b boolean default null, u uuid default null, d date default null, ts timestamptz default null,
    lt timestamp default null, by bytea default null, iv interval default null, c char default null
  ) returns table (
    i2 smallint, i8 bigint, n numeric, f float8, b boolean, u uuid, d date, ts timestamptz, lt timestamp, by bytea,
    iv interval, c char
  ) language sql as 'select i2, i8, n, f, b, u, d, ts, lt, by, iv, c';
  create function public.t_who() returns jsonb language sql stable as $$
    select jsonb_build_object(
      'user', current_user, 'role', auth.role(), 'method', current_setting('request.method', true),
      'path', current_setting('request.path', true), 'seen', current_setting('request.headers', true)::jsonb ->> 'x-seen-version',
      'isolation', current_setting('transaction_isolation'), 'zone', current_setting('TimeZone') in ('UTC', 'Etc/UTC'))
  $$;
  create function public."t odd ""näme"" 'x'"("á ""b"" 'c'" int) returns int language sql as 'select $1';`;

const valuesOfType: Record<string, unknown[]> = {
  integer: [0, 1, 3, -1, 2147483647, "2"],
  smallint: [1, "7", 32767],
  bigint: [1, "9007199254740993", 9007199254740991],
  numeric: [1.5, "1.50", "NaN", 1e21, 0.1],
  "double precision": [1.5, "-0", "Infinity", 1e300],
  boolean: [true, false, "t", "yes", "f"],
  uuid: [...placeholders, "00000000-0000-0000-0000-000000000000", "6F9619FF8B864D01B42D00CF4FC964FF"],
  date: ["2026-02-03", "today", "infinity", "2026-02-30", "03/02/2026"],
  "timestamp with time zone": ["2026-02-03T04:05:06.7+02:00", "infinity", "2026-02-03 04:05", "epoch"],
  "timestamp without time zone": ["2026-02-03T04:05:06.7", "-infinity"],
  interval: ["1 day", "P1DT2H", "-00:00:01"],
  bytea: ["\\x00ff", "abc", "\\x0"],
  text: ["ada@example.com", "contact", "access", "PT418", "PT299", "P0001", "23505", "a".repeat(64), "x", "مرحبا"],
  "text[]": [[], ["ai"], ["a", null], "{a,b}", [["a"], ["b"]], [[]]],
  "integer[]": [[], [1, 2], "{1,2}", [null], ["1"]],
  "uuid[]": [[], ["id-of-message"], "{}"],
  jsonb: [{}, [], { name: "Ada", email: "ada@example.com" }, [{ id: "id-of-mail" }], "text", 1.0, null],
  t_pair: [{ i: 1, words: "one" }, {}, "(1,one)", [1]],
};

const jsonType = { "content-type": "application/json" };
const deep = `${"[".repeat(200)}${"]".repeat(200)}`;

/** Values of any type, as JSON. */
const anyValue = fc.oneof(
  { weight: 3, arbitrary: fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.stringify(value)) },
  { weight: 3, arbitrary: anyText.map((text) => JSON.stringify(text)) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      ..."null true 0 -0 1.0 1E2 1e400 100000000000000000000 12345678901234567890.123456789 [] {}".split(" "),
      ..."[1,[2]]".split(" "),
      '{"a":{"b":[null]}}',
      '"a\\u0000b"',
      '"\\ud800"',
      '"\\ud83d\\ude00"',
      '"\\\\ud800"',
      `"${"x".repeat(10_000)}"`,
      deep,
      '{"a":1,"a":2}',
      '{"":1}',
    ),
  },
);

const oddTypes = {
  accept: [
    ..."application/json */* application/* Application/JSON application/json;charset=utf-8 text/csv odd".split(" "),
    "",
    "application/vnd.pgrst.object+json",
    "application/vnd.pgrst.array+json",
    "text/html, */*",
    "application/vnd.pgrst.object+json, application/json",
    "application/json, application/vnd.pgrst.object+json",
    "text/html, text/plain",
  ],
  "content-type": [
    "application/json; charset=utf-8",
    ..."APPLICATION/JSON text/plain application/x-www-form-urlencoded odd".split(" "),
  ],
  "content-profile": ["public", "private", "auth", "", "PUBLIC", "pg_catalog", "public, private", '"public"'],
  "accept-profile": ["public", "private", "auth", ""],
  "x-seen-version": ["3"],
};

const oddHeaders = fc.constantFrom(
  ...Object.entries(oddTypes).flatMap(([name, values]) => values.map((value) => ({ [name]: value }))),
);

const oddBodies = fc.oneof(
  fc.constantFrom(
    ...'{ [] [{"a":1}] 5 null "x" {}{} {"a":01} {"a":1,"a":2} a=1'.split(" "),
    "",
    " ",
    "\n{}",
    "\ufeff{}",
    "\0",
    '{"a":"\t"}',
    '{"a":"\\x"}',
    '{"a":"\\ud800"}',
    '{"a\\u0000":1}',
    `{"a":${deep}}`,
    '{"a":1}\f',
    '{"a":\u00a01}',
  ),
  fc.string({ unit: "binary", maxLength: 20 }),
);

const oddPaths = fc.constantFrom(
  "/",
  "",
  ..."/user_roles /contact_submissions /rpc /rpc/ /rpc/t_void/ /rpc/t_void/x /rpc//t_void /rpc/t%5fvoid".split(" "),
  ..."/rpc/t_void%20 /rpc/T_VOID /rpc/public.t_void /rpc/%22t_void%22 /rpc/t_void%00 /rpc/t_void;x".split(" "),
  ..."/rpc/t%2fvoid /rpc/% /rpc/%ff /rpc/é /rpc/%F0%9F%98%80 /rpc/now /rpc/version /RPC/t_void".split(" "),
  ..."/rpc/pg_sleep /rpc/__proto__ /rpc/constructor /rpc/t_void%27%3b-- /rpc/auth.uid".split(" "),
  ..."/rpc/t%20odd%20%22n%C3%A4me%22%20'x'".split(" "),
  `/rpc/${"x".repeat(300)}`,
  "/auth.users",
  "/rpc/.",
);

const oddQueries = fc.constantFrom(
  ..."select=i order=i limit=1 offset=1 i=eq.1 and=(i.eq.1) or=(i.eq.1) columns=a select= a =1 &".split(" "),
  ..."a=1&a=2 a=%00 a=%ff a=%F0%9F%98%80 a=+1 a=1&b=x+y b=is.null&a=1 n=2&limit=1 a=1&b=eq.2".split(" "),
  ..."a=1&b=not.eq.2 a=1&b=in.(1) on_conflict=a a.b=1 %22a%22=1 t.limit=1 a=1&b=eq".split(" "),
);

/** One odd thing, or none. */
const odd: fc.Arbitrary<Partial<RestCall>> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  { weight: 2, arbitrary: oddHeaders.map((headers) => ({ headers })) },
  fc.constantFrom("PUT", "PATCH", "DELETE", "HEAD", "OPTIONS").map((method) => ({ method })),
  oddPaths.map((path) => ({ path })),
  oddBodies.map((body) => ({ method: "POST", query: "", body, headers: jsonType })),
  oddQueries.map((query) => ({ query })),
);

type Argument = [name: string, json: string];

/** Calls of these functions, mostly with the arguments they take, and mostly one odd thing in each. */
export function restCalls(signatures: Signature[]): fc.Arbitrary<RestCall> {
  const call = fc.constantFrom(...signatures).chain(({ name, parameters }) => {
    const extra = fc.tuple(fc.oneof(fc.constantFrom("zz", "Z9", "_"), anyText), anyValue);
    return fc
      .record({
        role: fc.constantFrom(...roles),
        method: fc.constantFrom("POST", "POST", "POST", "GET", "GET"),
        values: fc.tuple(...parameters.map(({ type }) => fc.oneof({ weight: 6, arbitrary: ofType(type) }, anyValue))),
        missing: fc.oneof({ weight: 9, arbitrary: fc.constant(-1) }, fc.nat({ max: 9 })),
        extras: fc.oneof({ weight: 14, arbitrary: fc.constant([]) }, fc.tuple(extra)),
      })
      .map(({ role, method, values, missing, extras }) => {
        const isQuery = method === "GET";
        const taken = parameters.map((parameter, at): Argument => [parameter.name, values[at] ?? "null"]);
        // PostgREST reads other names in a query string as filters.
        const more = extras.map(([other, json]): Argument => [isQuery ? "zz" : other, json]);
        const given = [...taken.filter((_, at) => at !== missing), ...more];
        return { role, path: `/rpc/${encodeURIComponent(name)}`, ...(isQuery ? asQuery(given) : asBody(given)) };
      });
  });
  return fc
    .tuple(call, odd)
    .map(([made, change]) => ({ ...made, ...change, headers: { ...made.headers, ...change.headers } }));
}

function ofType(type: string): fc.Arbitrary<string> {
  const known = valuesOfType[type.replace("public.", "")];
  return known ? fc.constantFrom(...known).map((value) => JSON.stringify(value)) : anyValue;
}

function asBody(given: Argument[]) {
  const members = given.map(([name, json]) => `${JSON.stringify(name)}:${json}`);
  return { method: "POST", query: "", headers: jsonType, body: `{${members.join()}}` };
}

function asQuery(given: Argument[]) {
  const texts = given.map(([name, json]) => {
    const value = JSON.parse(json) as unknown;
    return [name, typeof value === "string" ? value : json] as [string, string];
  });
  return { method: "GET", query: new URLSearchParams(texts).toString(), headers: {}, body: "" };
}
