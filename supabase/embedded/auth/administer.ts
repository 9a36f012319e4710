import type { Transaction } from "@electric-sql/pglite";
import { z } from "zod";
import { revokedMark } from "./first-admin.ts";
import { findPasswordFault } from "./passwords.ts";
import type { Transact, User, Users } from "./users.ts";

const email = z.string().trim().toLowerCase().min(1).max(255);

/** What `npm run admin` can ask for. */
export const administrationSchema = z.discriminatedUnion("command", [
  z.object({ command: z.literal("list") }),
  z.object({ command: z.literal("set-password"), email, password: z.string() }),
  z.object({ command: z.literal("revoke"), email, evenTheLast: z.boolean() }),
  z.object({ command: z.literal("grant"), email }),
  z.object({ command: z.literal("sign-out-all") }),
]);

/** One wish of the operator, checked. */
export type Administration = z.output<typeof administrationSchema>;

/** What the operator reads; false where nothing was done. */
export interface Administered {
  done: boolean;
  text: string;
}

/** Does one of the operator's commands about accounts, on a database that has sessions.sql and the migrations. */
export async function administer(users: Users, transact: Transact, request: Administration): Promise<Administered> {
  if (request.command === "list") return done(await listAccounts(transact));
  if (request.command === "sign-out-all") {
    const ended = await transact((transaction) => endSessions(transaction, "embedded.end_all_sessions()", []));
    return done(`${inWords(ended)} ended. Everybody signs in again.`);
  }
  const user = await users.findByEmail(request.email);
  if (!user) return refused(`There is no account ${request.email}; \`npm run admin -- list\` shows all.`);
  if (request.command === "set-password") return setPassword(users, transact, user, request.password);
  if (request.command === "grant") return grant(transact, user);
  return transact((transaction) => revoke(transaction, user, request.evenTheLast));
}

async function listAccounts(transact: Transact): Promise<string> {
  const { rows } = await transact((transaction) => transaction.query<Account>(accounts, [revokedMark]));
  if (rows.length === 0) return "There are no accounts.";
  return rows
    .map(({ email: address, admin_since, is_revoked, last_sign_in, sessions }) => {
      const standing = admin_since ? `admin since ${admin_since}` : is_revoked ? "revoked" : "not an admin yet";
      const signIn = last_sign_in ? `last sign-in ${last_sign_in}` : "never signed in";
      return `${address}: ${standing}, ${signIn}, ${inWords(sessions)}`;
    })
    .join("\n");
}

interface Account {
  email: string;
  admin_since: string | null;
  is_revoked: boolean;
  last_sign_in: string | null;
  sessions: number;
}

/** From the log of sign-ins, because lite counts every renewal of a token as a sign-in. Times as text, in UTC. */
const accounts = `
  select u.email, u.raw_app_meta_data ? $1 as is_revoked,
    to_char(role.granted_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI "UTC"') as admin_since,
    (select to_char(max(entry.created_at) at time zone 'UTC', 'YYYY-MM-DD HH24:MI "UTC"')
     from auth.audit_log_entries entry
     where entry.payload ->> 'action' = 'login' and entry.payload ->> 'actor_id' = u.id::text) as last_sign_in,
    (select count(*)::int from auth.sessions s where s.user_id = u.id and s.not_after > now()) as sessions
  from auth.users u left join public.user_roles role on role.user_id = u.id and role.role = 'admin'
  order by u.created_at, u.id`;

async function setPassword(users: Users, transact: Transact, user: User, password: string): Promise<Administered> {
  const fault = await findPasswordFault(password);
  if (fault) return refused(`Nothing was changed. ${fault}`);
  const ended = await transact((transaction) => endSessionsOf(transaction, user.id));
  await users.setPassword(user.id, password);
  return done(`${user.email} has the new password; ${inWords(ended)} ended.`);
}

/** Until it is granted again no sign-in brings the role back, even where the settings still name the address. */
async function revoke(transaction: Transaction, user: User, evenTheLast: boolean): Promise<Administered> {
  const others = await transaction.query("select 1 from public.user_roles where role = 'admin' and user_id <> $1", [
    user.id,
  ]);
  if (others.rows.length === 0 && !evenTheLast) {
    return refused(
      `Nothing was changed: without ${user.email} there is no admin. With --even-the-last it is done all the same.`,
    );
  }
  await transaction.query("delete from public.user_roles where user_id = $1", [user.id]);
  await transaction.query(
    "update auth.users set raw_app_meta_data = raw_app_meta_data || jsonb_build_object($2::text, true) where id = $1",
    [user.id, revokedMark],
  );
  const ended = await endSessionsOf(transaction, user.id);
  return done(
    `${user.email} is no admin any more; ${inWords(ended)} ended. Take the address out of ADMIN_EMAIL if it is there.`,
  );
}

async function grant(transact: Transact, user: User): Promise<Administered> {
  await transact(async (transaction) => {
    await transaction.query("update auth.users set raw_app_meta_data = raw_app_meta_data - $2::text where id = $1", [
      user.id,
      revokedMark,
    ]);
    await transaction.query(
      "insert into public.user_roles (user_id, role) values ($1, 'admin') on conflict (user_id, role) do nothing",
      [user.id],
    );
  });
  return done(`${user.email} is an admin.`);
}

function endSessionsOf(transaction: Transaction, userId: string): Promise<number> {
  return endSessions(transaction, "embedded.end_sessions_of($1)", [userId]);
}

async function endSessions(transaction: Transaction, call: string, parameters: unknown[]): Promise<number> {
  const { rows } = await transaction.query<{ n: number }>(`select ${call} as n`, parameters);
  return rows[0]?.n ?? 0;
}

function inWords(sessions: number): string {
  return `${sessions} ${sessions === 1 ? "session" : "sessions"}`;
}

const done = (text: string): Administered => ({ done: true, text });
const refused = (text: string): Administered => ({ done: false, text });
