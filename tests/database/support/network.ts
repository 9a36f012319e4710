import type { SupabaseClient } from "@supabase/supabase-js";
import { newAddress } from "./data-rights.ts";
import { receive } from "./examples.ts";
import { listMails } from "./mail.ts";
import { readRow, setRows } from "./retention.ts";
import type { TestBackend } from "./test-backend.ts";

/** Choices of a member that every check accepts. */
export const exampleDetails = {
  kind: "angel",
  fields: ["ai", "devices"],
  check_size: "25k-100k",
  place: "Vermont",
  qualification: "income",
};

/** Consent to the membership, as the contact function proves it. */
const consent = { consent_text_hash: "c".repeat(64), consent_policy_version: "1.0" };

/** The mail with a link, which is added when it is sent. */
export const linkMail = { subject: "Please confirm", body: "Open this link:", closing: "Not you? Do nothing." };

/** Differences from the example in texts and membership. */
type AskOptions = NonNullable<Parameters<typeof receive>[1]> & { email?: string };

/** Calls `receive_contact_submission` with a membership, as the edge function does. */
export async function callAsk(client: SupabaseClient, options: AskOptions = {}) {
  const email = options.email ?? newAddress();
  const { membership, submission, ...others } = options;
  const response = await receive(client, {
    ...others,
    submission: { email, ...submission },
    membership: { ...exampleDetails, ...consent, mail: linkMail, ...membership },
  });
  return { ...response, email };
}

/** Asks to join, by default from a new address. @returns also the token of the member's page as it is after the ask */
export async function ask(backend: TestBackend, options: AskOptions = {}) {
  const { data, error, email } = await callAsk(backend.service, options);
  if (error) throw error;
  return { email, token: await tokenOf(backend, email), submissionId: data.submission_id };
}

/** Asks to join and confirms it by the link. */
export async function join(backend: TestBackend, options: AskOptions = {}) {
  const asked = await ask(backend, options);
  await byToken(backend, "confirm_membership", asked.token);
  return { ...asked, id: (await findMember(backend, asked.email))!.id as string };
}

/** Returns the token in the mails to the member with this address: of the page's newest link, or of letters. */
export async function tokenOf({ sql }: TestBackend, email: string, to: "page" | "letter" = "page"): Promise<string> {
  const [row] = await sql<{ token: string }>(
    `select private.member_token(member, $2) as token from public.network_members as member
     where lower(btrim(email)) = lower(btrim($1))`,
    [email, to],
  );
  return row!.token;
}

/**
 * Calls a function of the holder of a link.
 * @param shown digest of the pending wish that the page showed; defaults to that of the present one
 */
export async function byToken(
  backend: TestBackend,
  name: "find_membership" | "confirm_membership" | "discard_membership_change" | "end_page_links" | "leave_network",
  token: string | null,
  shown?: string,
) {
  const run = async (called: string, parameters: object) =>
    (await backend.client().rpc(called, parameters).throwOnError()).data;
  if (name !== "confirm_membership" && name !== "discard_membership_change") return run(name, { token });
  return run(name, { token, shown: shown ?? (await run("find_membership", { token }))?.pending_digest ?? "" });
}

/** Returns the stored row of the member with this address, or undefined. */
export function findMember(backend: TestBackend, email: string) {
  return readRow(backend, "public.network_members", email.toLowerCase(), "lower(btrim(email))");
}

/** Counts the departures of this address. */
export async function countDepartures({ sql }: TestBackend, email: string): Promise<number> {
  const isOf = "private.is_salted_digest_of(email_hash, private.digest(private.subject_key($1)))";
  return (await sql(`select 1 as ok from private.network_departures where ${isOf}`, [email])).length;
}

/** Moves the mails to a member, and their messages, back in time, so that the next link is not withheld as too soon. */
export async function ageLinks({ sql }: TestBackend, email: string, interval = "11 minutes") {
  await sql(
    `update private.email_outbox set created_at = created_at - $2::interval
     where member_id = (select id from public.network_members where lower(btrim(email)) = lower($1)) returning 1 as ok`,
    [email, interval],
  );
  await sql(
    `update private.contact_receipts set wished_at = wished_at - $2::interval
     where submission_id in (select id from public.contact_submissions where lower(btrim(email)) = lower($1))
     returning 1 as ok`,
    [email, interval],
  );
}

/** A network, with what visitors, members, mail servers and time do to it. */
export function useNetwork(backend: TestBackend) {
  /** Updates a member, as the passing of time or an event would. */
  const setMember = (email: string, assignments: string) =>
    setRows(backend, "public.network_members", email.toLowerCase(), assignments, "lower(btrim(email))");
  return {
    ask: (options?: AskOptions) => ask(backend, options),
    join: (options?: AskOptions) => join(backend, options),
    tokenOf: (email: string, to?: "page" | "letter") => tokenOf(backend, email, to),
    // With the token of a link to a member's page.
    open: (token: string | null) => byToken(backend, "find_membership", token),
    confirm: (token: string | null, shown?: string) => byToken(backend, "confirm_membership", token, shown),
    discard: (token: string | null) => byToken(backend, "discard_membership_change", token),
    endLinks: (token: string) => byToken(backend, "end_page_links", token),
    leave: (token: string | null) => byToken(backend, "leave_network", token),
    // With a member's address.
    find: (email: string) => findMember(backend, email),
    /** Returns the actions in the log of the member with this address, in order. */
    readActions: async (email: string): Promise<string[]> => {
      const rows = await backend.sql<{ action: string }>(
        `select event.actor_kind || ' ' || event.action as action from public.network_events as event
         join public.network_members as member on member.id = event.member_id
         where lower(btrim(member.email)) = lower($1) order by event.id`,
        [email],
      );
      return rows.map(({ action }) => action);
    },
    /** Returns the mails of kind `network` to this address. */
    readMails: (email: string) => listMails(backend, "kind = 'network' and lower(recipient) = lower($1)", [email]),
    countDepartures: (email: string) => countDepartures(backend, email),
    set: setMember,
    /** Moves columns of a member back in time, as its passing would. */
    age: (email: string, columns: string, interval: string) =>
      setMember(
        email,
        columns.replaceAll(/\w+/g, (column) => `${column} = ${column} - interval '${interval}'`),
      ),
    ageLinks: (email: string, interval?: string) => ageLinks(backend, email, interval),
    /** Settles all waiting mails to this address, by default as delivered. */
    settle: async (email: string, outcome = "delivered", error_code: string | null = null) => {
      const waiting = await backend.sql<{ mail_id: string }>(
        `update private.email_outbox set first_attempt_at = coalesce(first_attempt_at, now())
         where lower(recipient) = lower($1) and delivered_at is null and gave_up_at is null returning id as mail_id`,
        [email],
      );
      const attempts = waiting.map(({ mail_id }) => ({ mail_id, outcome, error_code }));
      await backend.service.rpc("settle_mails", { attempts }).throwOnError();
      return attempts.length;
    },
  };
}
