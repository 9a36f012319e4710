import { randomBytes } from "node:crypto";
import type { Transaction } from "@electric-sql/pglite";
import { z } from "zod";
import { commandLine } from "../../../app/lib/command-line.ts";
import { findPasswordFault } from "../../../app/lib/passwords/password-rule.ts";
import { findPasswordWords } from "../../../app/lib/passwords/password-words.ts";
import { revokedMark } from "./first-admin.ts";
import type { Transact, User, Users } from "./users.ts";

const email = z.string().trim().toLowerCase().min(1).max(255);

/** Commands of `admin`. */
export const adminCommandSchema = z.discriminatedUnion("command", [
  z.object({ command: z.literal("list") }),
  z.object({ command: z.literal("set-password"), email, password: z.string() }),
  z.object({ command: z.literal("revoke"), email, evenTheLast: z.boolean() }),
  z.object({ command: z.literal("grant"), email }),
  z.object({ command: z.literal("reset-second-factor"), email }),
  z.object({ command: z.literal("setup-code"), email }),
  z.object({ command: z.literal("invite"), email }),
  z.object({ command: z.literal("new-password-link"), email }),
  z.object({ command: z.literal("sign-out-all") }),
  z.object({ command: z.literal("change-link-key") }),
]);

/** A validated command of the operator. */
export type AdminCommand = z.output<typeof adminCommandSchema>;

/** Result of a command: the text that the operator reads, and `done: false` when nothing was changed. */
export interface AdminCommandResult {
  done: boolean;
  text: string;
}

/**
 * Runs one of the operator's account commands on a database that has sessions.sql and the migrations.
 * @param siteUrl origin of links
 */
export async function runAdminCommand(
  users: Users,
  transact: Transact,
  request: AdminCommand,
  siteUrl: string,
): Promise<AdminCommandResult> {
  if (request.command === "list") return done(await listAccounts(transact));
  if (request.command === "sign-out-all") {
    const ended = await transact(async (transaction) => {
      await transaction.query(`
        insert into public.admin_events (action, person)
        select 'signed-out', lower(account.email) from auth.users as account
        where exists (select from auth.sessions as session where session.user_id = account.id)`);
      return read<number>(transaction, endSessions, [null]);
    });
    return done(`${inWords(ended)} ended. All admins must sign in again.`);
  }
  if (request.command === "change-link-key") {
    await transact((transaction) => transaction.query("select private.change_link_key()"));
    return done(
      "All links to members' pages ended. Members get new ones at /network. The links in letters already sent go on stopping mail for 60 days.",
    );
  }
  if (request.command === "invite") return invite(transact, request.email, siteUrl);
  const user = await users.findByEmail(request.email);
  if (!user)
    return refused(`There is no account ${request.email}; \`${commandLine("admin list")}\` lists all accounts.`);
  if (request.command === "set-password") {
    const words = findPasswordWords(user.email, siteUrl);
    return setPassword(users, transact, user, { password: request.password, words });
  }
  if (request.command === "grant") return grant(transact, user);
  if (request.command === "reset-second-factor") {
    const ended = await transact((each) =>
      read<number>(each, "select private.reset_second_factor($1) as value", [user.id]),
    );
    return done(`${user.email} no longer has a second factor; ${inWords(ended)} ended.`);
  }
  if (request.command === "setup-code") {
    const code = await transact((each) =>
      read<string>(each, "select private.make_setup_code($1) as value", [user.email]),
    );
    return done(
      `${user.email} can set up a second factor with this code, once, within 72 hours. Earlier codes no longer work:\n${code}`,
    );
  }
  if (request.command === "new-password-link") return linkToNewPassword(transact, user, siteUrl);
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

/** Times are text, in UTC. */
const accounts = `
  select u.email, u.raw_app_meta_data ? $1 as is_revoked,
    to_char(role.granted_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI "UTC"') as admin_since,
    to_char(u.last_sign_in_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI "UTC"') as last_sign_in,
    (select count(*)::int from auth.sessions s where s.user_id = u.id and s.not_after > now()) as sessions
  from auth.users u left join public.user_roles role on role.user_id = u.id and role.role = 'admin'
  order by u.created_at, u.id`;

async function setPassword(
  users: Users,
  transact: Transact,
  user: User,
  { password, words }: { password: string; words: readonly string[] },
): Promise<AdminCommandResult> {
  const fault = await findPasswordFault(password, words);
  if (fault) return refused(`Nothing was changed. ${fault}`);
  const ended = await transact((transaction) => read<number>(transaction, endSessions, [user.id]));
  await users.setPassword(user.id, password, "operator");
  return done(`${user.email} has the new password; ${inWords(ended)} ended.`);
}

/**
 * Revokes the admin role. No later sign-in restores it until it is granted again, even if the settings still name the
 * address.
 */
async function revoke(transaction: Transaction, user: User, evenTheLast: boolean): Promise<AdminCommandResult> {
  const others = await transaction.query("select 1 from public.user_roles where role = 'admin' and user_id <> $1", [
    user.id,
  ]);
  if (others.rows.length === 0 && !evenTheLast) {
    return refused(
      `Nothing was changed: ${user.email} is the last admin. To revoke the role anyway, add --even-the-last.`,
    );
  }
  const open = await transaction.query(
    "select 1 from private.account_links where invited_by = $1 and purpose = 'invitation' and expires_at > now()",
    [user.id],
  );
  const ended = await read<number>(transaction, "select private.take_admin_role($1, null) as value", [user.id]);
  const sent = open.rows.length;
  const invitations = sent === 0 ? "" : ` and ${sent} ${sent === 1 ? "invitation" : "invitations"} that they sent`;
  return done(
    `${user.email} is no longer an admin; ${inWords(ended)}${invitations} ended. If ADMIN_EMAIL names this address, remove it there.`,
  );
}

async function grant(transact: Transact, user: User): Promise<AdminCommandResult> {
  await transact((transaction) =>
    transaction.query("select private.give_admin_role($1, null, 'admin-granted')", [user.id]),
  );
  return done(`${user.email} is an admin.`);
}

/** Creates an invitation link. Sends no email: an operator without a mail server passes the link on. */
async function invite(transact: Transact, address: string, siteUrl: string): Promise<AdminCommandResult> {
  const { token, link } = newLink(siteUrl);
  try {
    await transact((transaction) =>
      transaction.query("select private.make_invitation($1, null, private.digest($2))", [address, token]),
    );
  } catch (error) {
    const reason = invitationRefusals[error instanceof Error && "code" in error ? String(error.code) : ""];
    if (!reason) throw error;
    return refused(`Nothing was changed: ${address} ${reason}`);
  }
  return done(
    `Anyone who opens this link can choose a password for ${address} and become an admin. It works once, for 72 hours:\n${link}`,
  );
}

/** By SQLSTATE. */
const invitationRefusals: Readonly<Record<string, string>> = {
  "42710": "is already an admin.",
  "23514": "is not an email address.",
};

async function linkToNewPassword(transact: Transact, user: User, siteUrl: string): Promise<AdminCommandResult> {
  const { token, link } = newLink(siteUrl);
  await transact(async (transaction) => {
    await transaction.query("select private.make_new_password_link($1, private.digest($2))", [user.id, token]);
    await transaction.query("insert into public.admin_events (action, person) values ('link-printed', lower($1))", [
      user.email,
    ]);
  });
  return done(
    `Anyone who opens this link can choose a new password for ${user.email}. It works once, for 30 minutes:\n${link}`,
  );
}

/** Generates a 256-bit token and the URL of the page that takes it. */
function newLink(siteUrl: string): { token: string; link: string } {
  const token = randomBytes(32).toString("base64url");
  return { token, link: new URL(`/login/password?token=${token}`, siteUrl).href };
}

/** Ends all sessions of a user, or of everyone. */
const endSessions = `
  with ended as (delete from auth.sessions where $1::uuid is null or user_id = $1 returning 1)
  select count(*)::int as value from ended`;

/** Runs a statement that returns one row with a `value`. */
async function read<T>(transaction: Transaction, statement: string, parameters: unknown[]): Promise<T> {
  const { rows } = await transaction.query<{ value: T }>(statement, parameters);
  return rows[0]!.value;
}

function inWords(sessions: number): string {
  return `${sessions} ${sessions === 1 ? "session" : "sessions"}`;
}

const done = (text: string): AdminCommandResult => ({ done: true, text });
const refused = (text: string): AdminCommandResult => ({ done: false, text });
