import { expect, it } from "vitest";
import { eachBackend } from "../support/backends.ts";

eachBackend("grants", (backend) => {
  it("grants API roles nothing in the private schema", async () => {
    const rights = await backend.sql(
      `with roles as (select unnest(array['anon', 'authenticated', 'service_role']) as role),
         objects as (
           select role, relname as name from pg_class, roles
           where relnamespace = 'private'::regnamespace and relkind in ('r', 'S', 'v', 'm', 'p', 'f')
             and case when relkind = 'S' then has_sequence_privilege(role, pg_class.oid, 'usage, select, update')
               else has_table_privilege(role, pg_class.oid, 'select, insert, update, delete, truncate') end
           union all
           select role, proname from pg_proc, roles
           where pronamespace = 'private'::regnamespace and has_function_privilege(role, pg_proc.oid, 'execute')
         )
       select role, name from objects
       union all select role, 'the schema' from roles where has_schema_privilege(role, 'private', 'usage, create')`,
    );
    expect(rights).toEqual([]);
    const tables = await backend.sql<{ name: string }>(
      "select relname as name from pg_class where relkind = 'r' and relnamespace = 'private'::regnamespace order by 1",
    );
    expect(tables.map((row) => row.name)).toEqual([
      "account_events",
      "account_links",
      "admin_names",
      "answer_links",
      "consent_history",
      "contact_receipts",
      "count_reports",
      "data_packages",
      "data_rights_links",
      "day_counts",
      "digests",
      "email_outbox",
      "erasure_tombstones",
      "factor_permits",
      "letter_recipients",
      "link_keys",
      "message_replies",
      "network_departures",
      "rate_limits",
      "recovery_codes",
      "reply_drafts",
      "reply_snippets",
      "retention_clock",
      "retention_runs",
      "second_factor_attempts",
      "second_factor_rule",
      "setup_codes",
      "site_facts",
      "submission_search",
      "troubles",
      "trusted_factors",
      "wrong_codes",
    ]);
  });

  it("grants visitors and signed-in people only the listed rights", async () => {
    const tables = await backend.sql<{ right: string }>(
      `select role || ' ' || privilege || ' ' || relname as right
       from pg_class, unnest(array['anon', 'authenticated']) as role,
         unnest(array['select', 'insert', 'update', 'delete', 'truncate', 'references', 'trigger']) as privilege
       where relnamespace = 'public'::regnamespace and relkind in ('r', 'v', 'm', 'p', 'f')
         and has_table_privilege(role, pg_class.oid, privilege)
       order by 1`,
    );
    expect(tables).toEqual([]);
    const sequences = await backend.sql(
      `select relname from pg_class, unnest(array['anon', 'authenticated', 'service_role']) as role
       where relnamespace = 'public'::regnamespace and relkind = 'S'
         and has_sequence_privilege(role, pg_class.oid, 'usage, select, update')`,
    );
    expect(sequences).toEqual([]);
    const functions = await backend.sql<{ right: string }>(
      `select role || ' ' || proname as right
       from pg_proc, unnest(array['anon', 'authenticated']) as role
       where pronamespace = 'public'::regnamespace and has_function_privilege(role, pg_proc.oid, 'execute')
       order by 1`,
    );
    expect(functions.map((row) => row.right)).toEqual([
      "anon change_membership",
      "anon confirm_data_rights_request",
      "anon confirm_membership",
      "anon count_attempt",
      "anon discard_membership_change",
      "anon end_page_links",
      "anon erase_consent",
      "anon fetch_package",
      "anon find_account_link",
      "anon find_answer_link",
      "anon find_consent",
      "anon find_data_rights_status",
      "anon find_mail_state",
      "anon find_membership",
      "anon find_package",
      "anon leave_network",
      "anon mark_answered",
      "anon newest_migration",
      "anon request_package_link",
      "anon resubscribe_member",
      "anon unsubscribe_member",
      "anon withdraw_data_rights_request",
      "authenticated admin_standing",
      "authenticated answer_times",
      "authenticated begin_factor_removal",
      "authenticated change_membership",
      "authenticated confirm_data_rights_request",
      "authenticated confirm_membership",
      "authenticated correct_record",
      "authenticated count_letter_recipients",
      "authenticated count_recovery_codes",
      "authenticated create_recovery_codes",
      "authenticated delete_letter",
      "authenticated delete_reply_snippet",
      "authenticated delete_spam",
      "authenticated delete_submission",
      "authenticated discard_membership_change",
      "authenticated end_own_sessions",
      "authenticated end_page_links",
      "authenticated enter_request",
      "authenticated erase_consent",
      "authenticated erase_subject",
      "authenticated export_network_members",
      "authenticated export_subject_data",
      "authenticated export_submissions",
      "authenticated fetch_package",
      "authenticated find_account_link",
      "authenticated find_answer_link",
      "authenticated find_consent",
      "authenticated find_data_rights_status",
      "authenticated find_letter",
      "authenticated find_mail",
      "authenticated find_mail_state",
      "authenticated find_membership",
      "authenticated find_neighbors",
      "authenticated find_network_member",
      "authenticated find_package",
      "authenticated find_request",
      "authenticated find_submission",
      "authenticated invite_admin",
      "authenticated leave_network",
      "authenticated list_letters",
      "authenticated list_network_members",
      "authenticated list_reply_snippets",
      "authenticated list_undelivered",
      "authenticated mark_answered",
      "authenticated own_account",
      "authenticated read_day_counts",
      "authenticated read_inbox",
      "authenticated read_people",
      "authenticated read_requests",
      "authenticated record_sign_in",
      "authenticated record_wrong_code",
      "authenticated remove_admin",
      "authenticated remove_network_member",
      "authenticated request_package_link",
      "authenticated resend_answer",
      "authenticated resend_letter",
      "authenticated resend_message_mail",
      "authenticated resend_request_links",
      "authenticated restore_submission",
      "authenticated resubscribe_member",
      "authenticated review_network_member",
      "authenticated save_letter",
      "authenticated save_own_name",
      "authenticated save_reply_draft",
      "authenticated save_reply_snippet",
      "authenticated send_letter",
      "authenticated send_network_link",
      "authenticated send_reply",
      "authenticated send_waiting_mail",
      "authenticated set_submission_state",
      "authenticated stop_letter",
      "authenticated take_request_step",
      "authenticated try_letter",
      "authenticated undo_submission_change",
      "authenticated unsubscribe_member",
      "authenticated withdraw_data_rights_request",
      "authenticated withdraw_invitation",
    ]);
  });

  it("enables row security on every table and pins the search path of definer functions", async () => {
    const open = await backend.sql(
      `select relname from pg_class where relkind = 'r' and not relrowsecurity
         and relnamespace in ('public'::regnamespace, 'private'::regnamespace)`,
    );
    expect(open).toEqual([]);
    const insecure = await backend.sql(
      `select proname from pg_proc, unnest(array['anon', 'authenticated', 'service_role']) as role
       where pronamespace = 'public'::regnamespace and not prosecdef and has_function_privilege(role, pg_proc.oid, 'execute')`,
    );
    expect(insecure).toEqual([]);
    const unpinned = await backend.sql(
      `select proname from pg_proc where prosecdef and pronamespace = 'public'::regnamespace
         and not coalesce('search_path=""' = any (proconfig), false)`,
    );
    expect(unpinned).toEqual([]);
  });
});
