import { generatedPasswordMark } from "../../auth/first-admin.ts";
import type { Query } from "../read-database.ts";
import { OperationRefused } from "../operation-refused.ts";

const columns =
  "id, aud, role, email, encrypted_password, email_confirmed_at, last_sign_in_at, raw_app_meta_data, raw_user_meta_data, " +
  "created_at, updated_at";

/**
 * Copies the accounts, because rows of the product refer to them by id: address, confirmation, metadata, and the
 * password's bcrypt hash, which Supabase's sign-in service accepts unchanged. Does not copy sessions: users sign in
 * again.
 *
 * This writes into tables of the sign-in service (GoTrue), as Supabase's own guide for moving users between projects
 * does. The empty strings are needed because GoTrue cannot read null in these columns. An identity says that a user signs
 * in by password. Omits the mark of a generated password: what it asks the admin to do works only on the embedded backend.
 * @returns the number of accounts
 * @throws OperationRefused when the target has an account with one of these ids or addresses
 */
export async function moveUsers(source: Query, target: Query): Promise<number> {
  const users = await source<{ row: string }>(`
    select (to_jsonb(u) || jsonb_build_object('raw_app_meta_data', u.raw_app_meta_data - '${generatedPasswordMark}'))::text
      as row
    from auth.users u`);
  const rows = `[${users.map(({ row }) => row).join()}]`;
  const taken = await target(
    `select 1 from auth.users as known join jsonb_to_recordset($1::jsonb) as moved (id text, email text)
     on known.id::text = moved.id or lower(known.email) = lower(moved.email)`,
    [rows],
  );
  if (taken.length > 0)
    throw new OperationRefused(
      "The target has accounts with the same addresses. Delete them there: the move copies these accounts.",
    );
  await target(
    `insert into auth.users (${columns}, instance_id, confirmation_token, recovery_token, email_change_token_new, email_change)
     select ${columns}, '00000000-0000-0000-0000-000000000000', '', '', '', ''
     from jsonb_populate_recordset(null::auth.users, $1::jsonb)`,
    [rows],
  );
  await target(
    `insert into auth.identities (provider_id, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at)
     select id::text, id, jsonb_build_object('sub', id, 'email', email, 'email_verified', true, 'phone_verified', false),
       'email', last_sign_in_at, created_at, updated_at
     from jsonb_populate_recordset(null::auth.users, $1::jsonb)`,
    [rows],
  );
  return users.length;
}
