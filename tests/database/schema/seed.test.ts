import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { eachBackend } from "../support/backends.ts";

eachBackend("development seed", (backend) => {
  const values = async (query: string) => (await backend.sql<{ value: string }>(query)).map(({ value }) => value);

  it("creates messages, requests and members in every state, and adds nothing when run again", async () => {
    const seed = await readFile(new URL("../../../supabase/seed.sql", import.meta.url), "utf8");
    await backend.exec(seed);
    const counted = `select count(*)::text as value from public.contact_submissions
      union all select count(*)::text from public.data_rights_requests
      union all select count(*)::text from public.data_rights_events
      union all select count(*)::text from public.user_consents
      union all select count(*)::text from public.network_members
      union all select count(*)::text from public.network_events
      union all select count(*)::text from private.consent_history`;
    const counts = await values(counted);
    await backend.exec(seed);
    expect(await values(counted)).toEqual(counts);
    expect(await values("select distinct state as value from public.contact_submissions order by 1")).toEqual([
      "done",
      "in_progress",
      "new",
      "spam",
    ]);
    expect(await values("select distinct request_type as value from public.data_rights_requests")).toHaveLength(7);
    expect(await values("select distinct state as value from public.data_rights_requests")).toHaveLength(6);
    expect(await values("select distinct state as value from public.network_members")).toHaveLength(4);
    const open = "from public.data_rights_requests where state in ('open', 'in_progress')";
    const [overdue = "0", inTime = "0"] = await values(
      `select count(*) filter (where due_on < current_date)::text as value ${open}
       union all select count(*) filter (where due_on >= current_date)::text ${open}`,
    );
    expect(Number(overdue)).toBeGreaterThan(0);
    expect(Number(inTime)).toBeGreaterThan(0);
  });
});
