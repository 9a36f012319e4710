import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";

/**
 * Fills the database of a stopped site: 10,000 messages of 1 to 2 kB over two years, and 1,000 requests over one; the
 * database's own triggers index them. The mails that the firm is owed about them count as sent: else the site would send
 * 7,000 of them while it is measured.
 * @param {string} dataDir that the site was started on once
 */
export async function fillInbox(dataDir) {
  const database = await PGlite.create(join(dataDir, "pg"));
  await database.exec(`
    insert into public.contact_submissions (name, email, company, stage, goal, message, created_at, state, answer_notice)
    select 'Person ' || n, 'person' || n || '@mail.example', 'Clinic ' || n % 500, 'Growth stage', 'Goal ' || n % 90,
      repeat('We run a clinic and want to know more about number ' || n || '. ', 18 + n % 18),
      now() - n * interval '90 minutes', (array['new', 'in_progress', 'done', 'spam'])[1 + n % 4], 'late'
    from generate_series(1, 10000) as n;
    insert into public.data_rights_requests
      (reference, request_type, name, email, description, received_at, due_on, state, confirmed_at,
        last_reminder, last_reminder_at)
    select private.new_request_reference(), (array['access', 'erasure', 'other'])[1 + n % 3], 'Person ' || n,
      'person' || n || '@mail.example', repeat('Please tell me what you hold. ', 10 + n % 20),
      now() - n * interval '50 minutes', private.data_rights_due_on((now() - n * interval '50 minutes')::date),
      'open', now(), 'due-in-2-days', now()
    from generate_series(1, 1000) as n;`);
  // As the site does every day.
  await database.exec("vacuum analyze");
  await database.close();
}

/**
 * @param {string} url of the site @param {{ email: string, password: string }} admin
 * @returns {Promise<string>} what the browser would send back as `Cookie`
 * @throws when the site does not let the admin in
 */
export async function signIn(url, { email, password }) {
  const answer = await fetch(`${url}/login`, {
    method: "POST",
    redirect: "manual",
    headers: { Origin: url },
    body: new URLSearchParams({ email, password }),
  });
  if (answer.status !== 303) throw new Error(`signing in answered ${answer.status}`);
  return readCookies(answer);
}

/** The cookies that an answer sets, as a browser sends them back. @param {Response} answer */
export function readCookies(answer) {
  return answer.headers
    .getSetCookie()
    .map((line) => line.split(";", 1)[0] ?? "")
    .join("; ");
}
