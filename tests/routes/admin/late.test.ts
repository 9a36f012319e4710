import { expect, it } from "vitest";
import { withDatabaseOf } from "../../support/find-text";
import { startSite, type TestSite } from "../../support/site";
import { readText } from "../../support/visitor";
import { sendMessageAs } from "../support/erasure";
import { signInAdmin } from "../support/world";

/** Stops retention and deliveries for the duration of the test. */
const paused = { firstRetention: 3_600_000, outboxPoll: 3_600_000 };

const readInbox = async (site: TestSite) => readText((await (await signInAdmin(site)).get("/admin")).html);

it("shows and logs late emails and missed deletions", async () => {
  const fresh = await startSite({}, { own: true, timeouts: { ...paused, firstRetention: 0 } });
  await sendMessageAs(fresh, "late@admin.example");
  await expect.poll(() => fresh.output()).toContain('"event":"retention.kept"');
  await expect.poll(() => fresh.output()).toContain('"kind":"acknowledgement"');
  expect(await readInbox(fresh)).not.toMatch(/kept longer|did not arrive/);
  await fresh.stop();
  expect(fresh.output()).not.toMatch(/"(?:mail|retention)\.late"/);

  await withDatabaseOf(fresh.dataDir, async (sql) => {
    await sql(
      "update public.contact_submissions set answer_due_at = now() - interval '3 hours', answer_notice = 'late' returning 1 as ok",
    );
    await sql("update private.retention_runs set ran_at = ran_at - interval '49 hours' returning 1 as ok");
    await sql(
      `update private.email_outbox set delivered_at = null, created_at = now() - interval '11 minutes',
         next_attempt_at = now() + interval '1 day' returning 1 as ok`,
    );
  });
  const later = await startSite({}, { dataDir: fresh.dataDir, timeouts: paused });
  const inbox = await readInbox(later);
  await later.stop();
  expect(inbox).toContain("3 hours late");
  expect(inbox).toContain("Data is kept longer than the privacy policy says");
  // Two for the message, and up to two for the sign-ins above from new devices.
  expect(inbox).toMatch(/[2-4] emails are waiting for the mail server\./);
  expect(later.output()).toMatch(/"level":"error","event":"mail\.late","waiting":[2-4]/);
  expect(later.output()).toContain('"level":"error","event":"retention.late","lastRun":"20');
});
