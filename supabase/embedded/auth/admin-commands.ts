import { randomBytes } from "node:crypto";
import { countOf } from "../../../app/lib/count-of.ts";
import type { Transaction } from "@electric-sql/pglite";
import { z } from "zod";
import { commandLine } from "../../../app/lib/command-line.ts";
import { findPasswordFault } from "../../../app/lib/passwords/password-rule.ts";
import { findPasswordWords } from "../../../app/lib/passwords/password-words.ts";
import { OperationRefused } from "../operations/operation-refused.ts";
import { revokedMark } from "./first-admin.ts";
import type { Transact, User, Users } from "./users.ts";

/** Commands of `admin`; those about a person name their address. */
export const adminCommandSchema = z.object({
  command: z.enum([
    "list",
    "set-password",
    "revoke",
    "grant",
    "reset-second-factor",
    "setup-code",
    "invite",
    "new-password-link",
    "sign-out-all",
    "change-link-key",
  ]),
  email: z.string().trim().toLowerCase().min(1).max(255).optional(),
  password: z.string().optional(),
  evenTheLast: z.boolean().optional(),
});

/** A validated command of the operator. */
export type AdminCommand = z.output<typeof adminCommandSchema>;

/** Everything that a command needs, in its own transaction. */
interface CommandParts {
  transaction: Transaction;
  user: User;
  request: AdminCommand;
  siteUrl: string;
}

/**
 * Runs one of the operator's account commands on a database that has sessions.sql and the migrations.
 * @param siteUrl origin of links
 * @returns the text that the operator reads
 * @throws OperationRefused with a remedy; nothing was changed then
 */
export async function runAdminCommand(
  users: Users,
  transact: Transact,
  request: AdminCommand,
  siteUrl: string,
): Promise<string> {
  const { command, email = "" } = request;
  if (command === "list") return transact(listAccounts);
  if (command === "sign-out-all") return transact(signOutAll);
  if (command === "change-link-key") return transact(changeLinkKey);
  if (command === "invite") return invite(transact, email, siteUrl);
  const user = await users.findByEmail(email);
  if (!user)
    throw new OperationRefused(`There is no account ${email}; \`${commandLine("admin list")}\` lists all accounts.`);
  if (command === "set-password") return setPassword(users, transact, user, { request, siteUrl });
  return transact((transaction) => commandsAboutUser[command]({ transaction, user, request, siteUrl }));
}

const commandsAboutUser = {
  revoke,
  "new-password-link": linkToNewPassword,
  async grant({ transaction, user }: CommandParts) {
    await transaction.query("select private.give_admin_role($1, null, 'admin-granted')", [user.id]);
    return `${user.email} is an admin.`;
  },
  async "reset-second-factor"({ transaction, user }: CommandParts) {
    const ended = await read<number>(transaction, "select private.reset_second_factor($1) as value", [user.id]);
    return `${user.email} no longer has a second factor; ${countOf(ended, "session")} ended.`;
  },
  async "setup-code"({ transaction, user }: CommandParts) {
    const code = await read<string>(transaction, "select private.make_setup_code($1) as value", [user.email]);
    return `${user.email} can set up a second factor with this code, once, within 72 hours. Earlier codes no longer work:\n${code}`;
  },
};

async function signOutAll(transaction: Transaction): Promise<string> {
  await transaction.query(`
    insert into public.admin_events (action, person)
    select 'signed-out', lower(account.email) from auth.users as account
    where exists (select from auth.sessions as session where session.user_id = account.id)`);
  return `${countOf(await read<number>(transaction, endSessions, [null]), "session")} ended. All admins must sign in again.`;
}

async function changeLinkKey(transaction: Transaction): Promise<string> {
  await transaction.query("select private.change_link_key()");
  return "All links to members' pages ended. Members get new ones at /network. The links in letters already sent go on stopping mail for 60 days.";
}

async function listAccounts(transaction: Transaction): Promise<string> {
  const { rows } = await transaction.query<Account>(accounts, [revokedMark]);
  if (rows.length === 0) return "There are no accounts.";
  return rows
    .map(({ email: address, admin_since, is_revoked, last_sign_in, sessions }) => {
      const standing = admin_since ? `admin since ${admin_since}` : is_revoked ? "revoked" : "not an admin yet";
      const signIn = last_sign_in ? `last sign-in ${last_sign_in}` : "never signed in";
      return `${address}: ${standing}, ${signIn}, ${countOf(sessions, "session")}`;
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
  { request: { password = "" }, siteUrl }: Pick<CommandParts, "request" | "siteUrl">,
): Promise<string> {
  // Without a running server siteUrl may be the default.
  const known = "select coalesce(public.read_site_facts(), '{}') as value";
  const facts = await transact((transaction) => read<Record<string, string>>(transaction, known, []));
  const words = findPasswordWords(user.email, siteUrl, facts["SITE_URL"] ?? "", facts["FIRM_NAME"] ?? "");
  const fault = await findPasswordFault(password, words);
  if (fault) throw new OperationRefused(`Nothing was changed. ${fault}`);
  const ended = await transact((transaction) => read<number>(transaction, endSessions, [user.id]));
  await users.setPassword(user.id, password, "operator");
  return `${user.email} has the new password; ${countOf(ended, "session")} ended.`;
}

/**
 * Revokes the admin role. No later sign-in restores it until it is granted again, even if the settings still name the
 * address.
 */
async function revoke({ transaction, user, request }: CommandParts): Promise<string> {
  const others = await transaction.query("select 1 from public.user_roles where role = 'admin' and user_id <> $1", [
    user.id,
  ]);
  if (others.rows.length === 0 && !request.evenTheLast)
    throw new OperationRefused(
      `Nothing was changed: ${user.email} is the last admin. To revoke the role anyway, add --even-the-last.`,
    );
  const open = await transaction.query(
    "select 1 from private.account_links where invited_by = $1 and purpose = 'invitation' and expires_at > now()",
    [user.id],
  );
  const ended = await read<number>(transaction, "select private.take_admin_role($1, null) as value", [user.id]);
  const sent = open.rows.length;
  const invitations = sent === 0 ? "" : ` and ${countOf(sent, "invitation")} that they sent`;
  return `${user.email} is no longer an admin; ${countOf(ended, "session")}${invitations} ended. If ADMIN_EMAIL names this address, remove it there.`;
}

/** Creates an invitation link. Sends no email: an operator without a mail server passes the link on. */
async function invite(transact: Transact, address: string, siteUrl: string): Promise<string> {
  const { token, link } = newLink(siteUrl);
  try {
    await transact((transaction) =>
      transaction.query("select private.make_invitation($1, null, private.digest($2))", [address, token]),
    );
  } catch (error) {
    const reason = invitationRefusals[error instanceof Error && "code" in error ? String(error.code) : ""];
    if (!reason) throw error;
    throw new OperationRefused(`Nothing was changed: ${address} ${reason}`);
  }
  return `Anyone who opens this link can choose a password for ${address} and become an admin. It works once, for 72 hours:\n${link}`;
}

/** By SQLSTATE. */
const invitationRefusals: Readonly<Record<string, string>> = {
  "42710": "is already an admin.",
  "23514": "is not an email address.",
};

async function linkToNewPassword({ transaction, user, siteUrl }: CommandParts): Promise<string> {
  const { token, link } = newLink(siteUrl);
  await transaction.query("select private.make_new_password_link($1, private.digest($2))", [user.id, token]);
  await transaction.query("insert into public.admin_events (action, person) values ('link-printed', lower($1))", [
    user.email,
  ]);
  return `Anyone who opens this link can choose a new password for ${user.email}. It works once, for 30 minutes:\n${link}`;
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
