import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { eachBackend } from "../support/backends.ts";

eachBackend("development seed", (backend) => {
  const values = async (query: string) => (await backend.sql<{ value: string }>(query)).map(({ value }) => value);

  const count = () =>
    values(`select count(*)::text as value from public.contact_submissions
      union all select count(*)::text from public.data_rights_requests
      union all select count(*)::text from public.data_rights_events
      union all select count(*)::text from public.user_consents
      union all select count(*)::text from public.network_members
      union all select count(*)::text from public.network_events
      union all select count(*)::text from private.consent_history`);

  it("creates messages, requests and members in every state, and adds nothing when run again", async () => {
    const seed = await readFile(new URL("../../../supabase/seed.sql", import.meta.url), "utf8");
    await backend.exec(seed);
    const counts = await count();
    await backend.exec(seed);
    expect(await count()).toEqual(counts);
    for (const [column, table, states] of [
      ["state", "contact_submissions", 4],
      ["state", "data_rights_requests", 6],
      ["request_type", "data_rights_requests", 7],
      ["due_on < current_date", "data_rights_requests where state in ('open', 'in_progress')", 2],
      ["state", "network_members", 4],
    ] as const)
      expect(
        await values(`select distinct (${column})::text as value from public.${table}`),
        `${column} of ${table}`,
      ).toHaveLength(states);
  });
});
