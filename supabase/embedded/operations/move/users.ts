import { generatedPasswordMark } from "../../auth/first-admin.ts";
import type { Query } from "../read-database.ts";
import { OperationRefused } from "../operation-refused.ts";
import type { HostedDatabase } from "../hosted-database.ts";

/**
 * Copies the accounts, because rows of the product refer to them by id: address, confirmation, metadata, and the
 * password's bcrypt hash, which Supabase's sign-in service accepts unchanged. Does not copy sessions: users sign in
 * again.
 *
 * This writes into tables of the sign-in service (GoTrue), as Supabase's own guide for moving users between projects
 * does. The empty strings are needed because GoTrue cannot read null in these columns. Omits the mark of a generated
 * password: what it asks the admin to do works only on the embedded backend.
 * @returns the number of accounts
 * @throws OperationRefused when the target has an account with one of these ids or addresses
 */
export async function moveUsers(source: Query, target: HostedDatabase): Promise<number> {
  const users = await source<{ row: string }>(`
    select (to_jsonb(u) || jsonb_build_object('raw_app_meta_data', u.raw_app_meta_data - '${generatedPasswordMark}'))::text
      as row
    from auth.users u`);
  const rows = `[${users.map(({ row }) => row).join()}]`;
  const taken = await target.query<{ n: number }>(`
    select count(*)::int as n from auth.users
    where id::text in (${values(rows, "id")}) or lower(email) in (${values(rows, "email")})`);
  if (taken[0]?.n) {
    throw new OperationRefused(
      "The target has accounts with the same addresses. Delete them there: the move copies these accounts.",
    );
  }
  await insert(target, "auth.users", rows, userColumns, emptyUserColumns);
  const identities = await source<{ row: string }>("select to_jsonb(i)::text as row from auth.identities i");
  await insert(target, "auth.identities", `[${identities.map(({ row }) => row).join()}]`, identityColumns, {});
  return users.length;
}

const userColumns = [
  "id",
  "aud",
  "role",
  "email",
  "encrypted_password",
  "email_confirmed_at",
  "last_sign_in_at",
  "raw_app_meta_data",
  "raw_user_meta_data",
  "created_at",
  "updated_at",
];

const emptyUserColumns = {
  instance_id: "'00000000-0000-0000-0000-000000000000'",
  confirmation_token: "''",
  recovery_token: "''",
  email_change_token_new: "''",
  email_change: "''",
};

const identityColumns = [
  "provider_id",
  "user_id",
  "identity_data",
  "provider",
  "last_sign_in_at",
  "created_at",
  "updated_at",
];

async function insert(
  target: HostedDatabase,
  table: string,
  rows: string,
  columns: string[],
  constants: Record<string, string>,
): Promise<void> {
  const names = [...columns, ...Object.keys(constants)].join();
  const sources = [...columns, ...Object.values(constants)].join();
  await target.run(
    `insert into ${table} (${names}) select ${sources} from jsonb_populate_recordset(null::${table}, $1::jsonb)`,
    [rows],
  );
}

/**
 * Formats one column of the rows as a list of literals, in lower case. Returns `null`, which equals no value, when
 * there are none.
 */
function values(rows: string, column: "id" | "email"): string {
  const found = (JSON.parse(rows) as Record<string, unknown>[]).map((row) => row[column]);
  const texts = found.filter((value) => typeof value === "string");
  return texts.map((text) => `'${text.toLowerCase().replaceAll("'", "''")}'`).join() || "null";
}
