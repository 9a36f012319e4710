import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { backends } from "./support/backends.ts";
import type { TestBackend } from "./support/test-backend.ts";

describe.each(backends)("what is granted on $name", ({ start }) => {
  let backend: TestBackend;

  beforeAll(async () => {
    backend = await start();
  });
  afterAll(() => backend?.close());

  it("gives no role of the API any right in the private schema", async () => {
    const rights = await backend.sql(
      `select role from unnest(array['anon', 'authenticated', 'service_role']) as role
       where has_schema_privilege(role, 'private', 'usage')
         or has_table_privilege(role, 'private.email_outbox', 'select, insert, update, delete')
         or has_table_privilege(role, 'private.contact_receipts', 'select, insert, update, delete')
         or has_table_privilege(role, 'private.consent_history', 'select, insert, update, delete')`,
    );
    expect(rights).toEqual([]);
  });

  it("gives visitors nothing and people only what is listed here", async () => {
    const tables = await backend.sql<{ right: string }>(
      `select role || ' ' || privilege || ' ' || relname as right
       from pg_class, unnest(array['anon', 'authenticated']) as role,
         unnest(array['select', 'insert', 'update', 'delete', 'truncate', 'references', 'trigger']) as privilege
       where relnamespace = 'public'::regnamespace and relkind in ('r', 'v', 'm', 'p', 'f')
         and has_table_privilege(role, pg_class.oid, privilege)
       order by 1`,
    );
    expect(tables.map((row) => row.right)).toEqual([
      "authenticated select contact_submissions",
      "authenticated select user_roles",
    ]);
    const functions = await backend.sql<{ right: string }>(
      `select role || ' ' || proname as right
       from pg_proc, unnest(array['anon', 'authenticated']) as role
       where pronamespace = 'public'::regnamespace and has_function_privilege(role, pg_proc.oid, 'execute')
       order by 1`,
    );
    expect(functions.map((row) => row.right)).toEqual([
      "anon record_consent",
      "authenticated is_admin",
      "authenticated outbox_status",
      "authenticated record_consent",
    ]);
  });

  it("guards every table by row level security, and pins the search path of every function with its owner's rights", async () => {
    const open = await backend.sql(
      `select relname from pg_class where relkind = 'r' and not relrowsecurity
         and relnamespace in ('public'::regnamespace, 'private'::regnamespace)`,
    );
    expect(open).toEqual([]);
    const unpinned = await backend.sql(
      `select proname from pg_proc where prosecdef and pronamespace = 'public'::regnamespace
         and not coalesce('search_path=""' = any (proconfig), false)`,
    );
    expect(unpinned).toEqual([]);
  });
});
