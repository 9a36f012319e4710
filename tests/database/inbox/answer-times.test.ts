import { expect, it } from "vitest";
import { useAdmin } from "../support/admin.ts";
import { eachBackend } from "../support/backends.ts";
import { fillInbox } from "../support/inbox.ts";

eachBackend("answer times", (backend) => {
  const admin = useAdmin(backend);

  it("reports the median and the share in time by month, for thirteen months", async () => {
    // The third still has time, the fourth is late, and the answer time of the last is unknown.
    await fillInbox(backend, 8, {
      name: "(array['quick', 'slow', 'waits', 'late', 'spam', 'held', 'frozen', 'earlier'])[n]",
      state: "(array['done', 'done', 'new', 'in_progress', 'spam', 'new', 'new', 'done'])[n]",
      quarantine_reason: "case when n = 6 then 'honeypot' end",
      frozen_at: "case when n = 7 then now() end",
    });
    await backend.sql(
      `update public.contact_submissions set
         created_at = now(),
         answered_at = case name when 'quick' then now() + interval '2 hours' when 'slow' then now() + interval '30 hours' end,
         answer_due_at = case when name = 'late' then now() - interval '1 hour' else answer_due_at end
       returning 1 as ok`,
    );
    const [{ month } = { month: "" }] = await backend.sql<{ month: string }>(
      "select to_char(created_at at time zone 'UTC', 'YYYY-MM') as month from public.contact_submissions limit 1",
    );
    const { data } = await admin.rpc("answer_times").throwOnError();
    expect(data).toEqual([{ month, messages: 4, answered: 2, median_seconds: 16 * 60 * 60, in_time: 1, judged: 3 }]);
    await backend.sql(
      "update public.contact_submissions set created_at = created_at - interval '2 years' returning 1 as ok",
    );
    expect((await admin.rpc("answer_times").throwOnError()).data).toEqual([]);
  });
});
