import { expect } from "vitest";
import type { TestBackend } from "./test-backend.ts";

/**
 * Everything that migrations made in the schemas `public` and `private`, as the database itself describes it: tables with
 * their columns in order, types, sequences, constraints, indexes, functions, policies, triggers, rights and comments. Of a
 * function's body comments and layout are left out.
 */
export async function readCatalog({ sql }: Pick<TestBackend, "sql">): Promise<Record<string, string | null>> {
  const rows = await sql<{ object: string; definition: string | null }>(catalogQuery);
  expect(rows.length).toBeGreaterThan(400);
  const catalog = Object.fromEntries(rows.map(({ object, definition }) => [object, definition]));
  expect(Object.keys(catalog)).toHaveLength(rows.length);
  return catalog;
}

const catalogQuery = `
  with schemas as (
    select oid, nspname, nspowner, nspacl from pg_namespace where nspname in ('public', 'private')
  ), tables as (
    select c.*, format('%I.%I', nspname, relname) as name
    from pg_class as c join schemas on schemas.oid = relnamespace where relkind <> 'i'
  ), functions as (
    select p.*, p.oid::regprocedure::text as name from pg_proc as p join schemas on schemas.oid = pronamespace
  ), rights as (
    select 'schema ' || nspname as of, nspacl as acl from schemas where nspname = 'private'
    union all select 'table ' || name, relacl from tables
    union all select 'column ' || name || '.' || attname, attacl from tables join pg_attribute on attrelid = tables.oid
      where attacl is not null
    union all select 'function ' || name, proacl from functions
  )
  select 'schema ' || nspname as object, nspowner::regrole::text as definition from schemas where nspname = 'private'
  union all
  select 'table ' || name, concat_ws(', ', relkind, relpersistence, relowner::regrole, relrowsecurity, relforcerowsecurity,
    reloptions, (
      select string_agg(concat_ws(' ', attname, format_type(atttypid, atttypmod), attnotnull, attidentity, attgenerated,
        attstorage, pg_get_expr(adbin, adrelid)), ', ' order by attnum)
      from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
      where attrelid = tables.oid and attnum > 0 and not attisdropped
    ))
  from tables
  union all
  select format('constraint %s on %s', conname, tables.name), pg_get_constraintdef(pg_constraint.oid)
  from pg_constraint join tables on tables.oid = conrelid
  union all
  select 'index ' || indexrelid::regclass, pg_get_indexdef(indexrelid) || indisunique
  from pg_index join tables on tables.oid = indrelid
  union all
  select 'function ' || name, concat(proowner::regrole, ' ', regexp_replace(
    regexp_replace(pg_get_functiondef(oid), '--[^\\n]*', '', 'g'), '\\s+', ' ', 'g'
  ))
  from functions
  union all
  select format('policy %s on %s', polname, tables.name), concat_ws(', ', polcmd, polpermissive, polroles::regrole[],
    pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid))
  from pg_policy join tables on tables.oid = polrelid
  union all
  select format('trigger %s on %s', tgname, tables.name), concat_ws(', ', pg_get_triggerdef(pg_trigger.oid), tgenabled)
  from pg_trigger join tables on tables.oid = tgrelid where not tgisinternal
  union all
  select format('right of %s to %s on %s', coalesce(nullif(grantee, 0)::regrole::text, 'everybody'), privilege_type, of),
    is_grantable::text
  from rights, aclexplode(acl)
  union all
  select 'default rights on ' || of, null from rights where acl is null
  union all
  select concat_ws(' ', 'comment on', identity.type, identity.identity), description
  from pg_description, pg_identify_object(classoid, objoid, objsubid) as identity
  where identity.schema in ('public', 'private') or (identity.type = 'schema' and identity.identity = 'private')
  order by 1`;
