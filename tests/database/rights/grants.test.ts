import { beforeAll, expect, it } from "vitest";
import { addFactor } from "../support/accounts.ts";
import { eachBackend } from "../support/backends.ts";
import type { HostedBackend } from "../support/hosted-backend.ts";
import { readClaims } from "../support/postgres/json-web-token.ts";
import { fillIn } from "../support/statements.ts";
import { signInAdmin } from "../support/test-backend.ts";
import { callers, expectedCalls, expectedGrants, type RightsCaller, roleOf } from "./expected-rights.ts";

/** Calls with null for each argument. Only the step of a request is checked before the caller. */
const everyFunction = `
  select format('%I.%I', nspname, proname) as right,
    format('select %I.%I(%s)', nspname, proname, (
      select string_agg(
        format('%L::%s', case when proargnames[n] = 'step' then 'note' end, format_type(proargtypes[n - 1], null)), ', '
        order by n
      ) from generate_series(1, pronargs) as n
    )) as statement
  from pg_proc join pg_namespace on pg_namespace.oid = pronamespace
  where nspname in ('public', 'private') order by 1`;

/** Makes each attempt as each caller, as PostgREST does, and takes it back. Keeps the rights that were not refused. */
const makeAttempts = `
  do $attempts$
  declare
    attempt record;
    allowed jsonb := '[]';
  begin
    -- The coverage of functions must not count these calls.
    perform set_config('track_functions', 'none', true);
    for attempt in
      select caller ->> 'name' as name, caller -> 'claims' as claims, one ->> 'right' as granted, one ->> 'statement' as statement
      from jsonb_array_elements($1::jsonb) as caller, jsonb_array_elements($2::jsonb) as one
    loop
      begin
        perform set_config('request.jwt.claims', attempt.claims::text, true);
        perform set_config('role', attempt.claims ->> 'role', true);
        execute attempt.statement;
        raise exception using errcode = 'UNDO0';
      exception when others then
        if sqlstate <> '42501' then
          allowed := allowed || to_jsonb(attempt.name || ': ' || attempt.granted);
        end if;
      end;
    end loop;
    perform set_config('tests.allowed', allowed::text, false);
  end
  $attempts$;
  select current_setting('tests.allowed') as allowed`;

eachBackend("rights", (backend) => {
  let claims: Record<RightsCaller, Record<string, unknown>>;

  beforeAll(async () => {
    const [person, challenged, admin] = [
      await backend.signIn(),
      await signInAdmin(backend),
      await signInAdmin(backend),
    ];
    for (const owner of [challenged, admin]) await addFactor(backend, owner, "verified");
    await backend.sql("update auth.sessions set aal = 'aal2' where user_id = $1 returning id", [admin.id]);
    claims = {
      visitor: { role: roleOf.visitor },
      person: readClaims(person.token),
      "admin without the second factor": readClaims(challenged.token),
      admin: { ...readClaims(admin.token), aal: "aal2" },
      service: { role: roleOf.service },
    };
  });

  it("lets each caller use exactly the listed functions", async () => {
    const attempts = await backend.sql(everyFunction);
    const people = callers.map((name) => ({ name, claims: claims[name] }));
    const runAsSuperuser = "postgres" in backend ? (backend as HostedBackend).postgres.exec : backend.exec;
    const rows = await runAsSuperuser(fillIn(makeAttempts, [people, attempts]));
    const [{ allowed }] = rows as [{ allowed: string }];
    expect((JSON.parse(allowed) as string[]).toSorted()).toEqual(expectedCalls);
  });

  it("grants roles no more functions than their callers need, and no table, column, sequence or private schema", async () => {
    const granted = await backend.sql<{ right: string }>(
      `with roles as (select unnest(array['anon', 'authenticated', 'service_role']) as role),
         relations as (select * from pg_class where relnamespace in ('public'::regnamespace, 'private'::regnamespace))
       select role || ': ' || nspname || '.' || proname as right
       from roles, pg_proc join pg_namespace on pg_namespace.oid = pronamespace
       where nspname in ('public', 'private') and has_function_privilege(role, pg_proc.oid, 'execute')
       union all
       select role || ': ' || relname from relations, roles
       where relkind in ('r', 'v', 'm', 'p', 'f') and (
         has_table_privilege(role, oid, 'select, insert, update, delete, truncate, references, trigger')
         or has_any_column_privilege(role, oid, 'select, insert, update, references'))
       union all
       select role || ': ' || relname from relations, roles
       where relkind = 'S' and has_sequence_privilege(role, oid, 'usage, select, update')
       union all
       select role || ': private' from roles where has_schema_privilege(role, 'private', 'usage, create')`,
    );
    expect(granted.map(({ right }) => right).toSorted()).toEqual(expectedGrants);
  });

  it("enables row security on every table and pins the search path of definer functions", async () => {
    const insecure = await backend.sql(
      `select relname from pg_class where relkind = 'r' and not relrowsecurity
         and relnamespace in ('public'::regnamespace, 'private'::regnamespace)
       union all
       select proname from pg_proc, unnest(array['anon', 'authenticated', 'service_role']) as role
       where pronamespace = 'public'::regnamespace and not prosecdef and has_function_privilege(role, pg_proc.oid, 'execute')
       union all
       select proname from pg_proc where prosecdef and pronamespace = 'public'::regnamespace
         and not coalesce('search_path=""' = any (proconfig), false)`,
    );
    expect(insecure).toEqual([]);
  });
});
