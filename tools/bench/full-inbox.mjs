import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";

/**
 * Fills the database of a stopped site with 10,000 messages of 1 to 2 kB over two years. Notices to the firm about them
 * count as sent; otherwise the site would send 7,000 emails during the measurement.
 * @param {string} dataDir of a site that was started once
 */
export async function fillInbox(dataDir) {
  const database = await PGlite.create(join(dataDir, "pg"));
  await database.exec(`
    insert into public.contact_submissions (name, email, company, stage, goal, message, created_at, state, answer_notice)
    select 'Person ' || n, 'person' || n || '@mail.example', 'Clinic ' || n % 500, 'Growth stage', 'Goal ' || n % 90,
      repeat('We run a clinic and want to know more about number ' || n || '. ', 18 + n % 18),
      now() - n * interval '90 minutes', (array['new', 'in_progress', 'done', 'spam'])[1 + n % 4], 'late'
    from generate_series(1, 10000) as n;`);
  // The site does this every day.
  await database.exec("vacuum analyze");
  await database.close();
}
