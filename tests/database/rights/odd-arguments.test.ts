import { beforeAll, expect, it } from "vitest";
import { isEverything } from "../../support/everything.ts";
import { eachBackend } from "../support/backends.ts";
import { join } from "../support/network.ts";

interface CallableFunction {
  name: string;
  parameters: { name: string; type: string }[];
  comment: string;
}

/** A value for any parameter, and the codes with which PostgreSQL or PostgREST itself rejects it as a text. */
type OddValue = [title: string, value: unknown, rejections?: string[]];

const oddValues: OddValue[] = [
  ["null", null],
  ["an empty text", ""],
  ["a word", "many"],
  ["a long text", "a".repeat(isEverything ? 1_000_000 : 50_000)],
  ["a NUL", "a\0b", ["22P05", "22021"]],
  ["a lone surrogate", `${"a".repeat(42)}\ud800`, ["PGRST102"]],
  ["direction marks", "\u202eAda\u2066"],
  ["a negative number", -1],
  ["a large number", 1e300],
  ["true", true],
  ["nested objects", { name: { name: [{}] }, fields: [[{}]] }],
  ["two dimensions", [["ai"], ["devices"]]],
  ["uneven dimensions", [["ai"], ["ai", "devices"]]],
  ["a long array", Array.from({ length: isEverything ? 10_000 : 500 }, () => "ai")],
];

/** Codes for a value that a parameter of another type than text cannot hold. */
const misfits = ["22P02", "22003"];

const tablesQuery = `
  select format('%I.%I', nspname, relname) as name
  from pg_class join pg_namespace on pg_namespace.oid = relnamespace
  where nspname in ('public', 'private') and relkind = 'r' order by 1`;

eachBackend("functions open to anonymous callers", (backend) => {
  /** fits a parameter of its type; the token and the version are a member's */
  let fitting: Record<string, unknown>;

  beforeAll(async () => {
    const { token } = await join(backend);
    fitting = { text: token, integer: 1, jsonb: {} };
  });

  function listFunctions(): Promise<CallableFunction[]> {
    return backend.sql(
      `select proname as name, coalesce(obj_description(pg_proc.oid), '') as comment,
         (select coalesce(json_agg(json_build_object(
           'name', proargnames[n], 'type', format_type(proargtypes[n - 1], null)
         ) order by n), '[]') from generate_series(1, pronargs) as n) as parameters
       from pg_proc
       where pronamespace = 'public'::regnamespace and has_function_privilege('anon', pg_proc.oid, 'execute')
       order by 1`,
    );
  }

  /** Returns a digest of all rows of each table. */
  async function readTables(): Promise<unknown> {
    const tables = await backend.sql<{ name: string }>(tablesQuery);
    const digests = tables.map(
      ({ name }) => `select '${name}' as name, md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as rows
        from ${name} as t`,
    );
    // A union without an order may run its parts in parallel, and return them in any order.
    return backend.sql(`${digests.join(" union all ")} order by name`);
  }

  /** Describes the response to a call that failed with another code than those, or with a 5xx. Null for none. */
  async function findFault(name: string, title: string, values: Record<string, unknown>, codes: string[]) {
    const { error, status } = await backend.client().rpc(name, values);
    const isExpected = (!error || codes.includes(error.code)) && status >= 200 && status < 500;
    return isExpected ? null : `${name}, ${title}: ${status} ${error?.code}`;
  }

  it("refuse each odd argument, or find nothing, and store nothing", async () => {
    const before = await readTables();
    const faults: (string | null)[] = [];
    for (const { name, parameters, comment } of await listFunctions()) {
      const documented = comment.match(/\b(?:\d\d[0-9A-Z]{3}|P[0T]\d{3})\b/g) ?? [];
      const fits = Object.fromEntries(parameters.map((parameter) => [parameter.name, fitting[parameter.type]]));
      expect([name, ...Object.values(fits)]).not.toContain(undefined);
      for (const { name: parameter, type } of parameters) {
        const { [parameter]: _, ...others } = fits;
        const calls = oddValues.map(([value, odd, rejections = []]) =>
          findFault(name, `${parameter}: ${value}`, { ...others, [parameter]: odd }, [
            ...documented,
            ...rejections,
            ...(type === "text" ? [] : misfits),
          ]),
        );
        const withoutIt = findFault(name, `no ${parameter}`, others, [...documented, "PGRST202"]);
        faults.push(...(await Promise.all([...calls, withoutIt])));
      }
    }
    expect(faults.filter((fault) => fault !== null)).toEqual([]);
    expect(await readTables()).toEqual(before);
  });
});
