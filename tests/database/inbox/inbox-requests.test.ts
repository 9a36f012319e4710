import { randomUUID } from "node:crypto";
import { beforeAll, expect, it } from "vitest";
import { eachBackend } from "../support/backends.ts";
import { useRequests } from "../support/data-rights.ts";
import { dropCursorTimes, idsOf, list, readAllPages } from "../support/inbox.ts";
import { readRow } from "../support/retention.ts";

/** Inserts sixty numbered requests: every third closed, the others due around today, several on the same day. */
const fill = `
  insert into public.data_rights_requests
    (reference, request_type, name, email, description, state, due_on, confirmed_at, closed_at, quarantine_reason)
  select private.new_request_reference(), 'access', 'Person ' || n, 'p' || n || '@example.com', '50% of Her_Data',
    case when n % 3 = 0 then (array['completed', 'refused', 'withdrawn'])[n % 9 / 3 + 1]
      else (array['unconfirmed', 'open', 'in_progress'])[n % 4 % 3 + 1] end,
    (now() at time zone 'UTC')::date + (n % 7 - 3),
    case when n % 3 = 0 or n % 4 % 3 > 0 then now() end,
    case when n % 3 = 0 then now() - n * interval '1 day' end,
    case when n % 3 > 0 and n % 4 % 3 = 0 and n % 5 = 0 then 'honeypot' end
  from generate_series(1, 60) as n returning 1 as ok`;

eachBackend("list of data rights requests", (backend) => {
  const requests = useRequests(backend);
  const { admin } = requests;

  beforeAll(() => backend.sql(fill));

  const readPages = (parameters: Record<string, unknown>, afterFirst?: () => Promise<void>) =>
    readAllPages(admin, parameters, "read_requests", afterFirst);

  const readIds = async (parameters: Record<string, unknown>, afterFirst?: () => Promise<void>) =>
    (await readPages(parameters, afterFirst)).flatMap(idsOf);

  async function find(where: string) {
    return backend.sql<{ id: string; is_overdue: boolean }>(
      `select id, state in ('open', 'in_progress') and due_on < (now() at time zone 'UTC')::date as is_overdue
       from public.data_rights_requests where ${where}
       order by closed_at is not null, state = 'unconfirmed', case when closed_at is null then due_on end,
         closed_at desc, id`,
    );
  }

  it("marks overdue requests, sorts by due date and closing time, and puts unconfirmed ones last, both ways", async () => {
    const pages = await readPages({ folder: "all" });
    expect(pages.map(({ rows }) => rows.length)).toEqual([25, 25, 10]);
    const shown = pages.flatMap(({ rows }) => rows.map(({ id, is_overdue }) => ({ id, is_overdue })));
    expect(shown).toEqual(await find("true"));
    for (const at of [1, 0]) {
      const back = await list(admin, { folder: "all", page_cursor: pages[at + 1]!.previous }, "read_requests");
      expect(dropCursorTimes(back)).toEqual(dropCursorTimes(pages[at]!));
    }
  });

  it("neither repeats nor skips requests that are closed between pages", async () => {
    const ids = (await find("true")).map(({ id }) => id);
    const shown = await readIds({ folder: "all" }, async () => {
      // One already shown and one still to come.
      for (const id of [ids[3]!, ids[27]!]) await requests.set({ id }, "state = 'withdrawn', closed_at = now()");
    });
    expect(shown).toEqual(ids);
    const again = await readIds({ folder: "all" });
    expect(again).not.toEqual(ids);
    expect(again).toEqual((await find("true")).map(({ id }) => id));
  });

  it("shows and counts the same requests in each folder", async () => {
    const folders: Record<string, string> = {
      all: "true",
      active: "closed_at is null",
      unconfirmed: "state = 'unconfirmed'",
      open: "state = 'open'",
      in_progress: "state = 'in_progress'",
      closed: "closed_at is not null",
      completed: "state = 'completed'",
      refused: "state = 'refused'",
      withdrawn: "state = 'withdrawn'",
      quarantined: "quarantine_reason is not null",
      restricted: "frozen_at is not null",
    };
    const { counts } = await admin.call("read_requests");
    for (const [folder, where] of Object.entries(folders)) {
      const ids = (await find(where)).map(({ id }) => id);
      expect([folder, await readIds({ folder })]).toEqual([folder, ids]);
      expect([folder, counts[folder]]).toEqual([folder, ids.length]);
      expect([folder, ids.length > 0]).toEqual([folder, folder !== "restricted"]);
    }
    const due = await find("state in ('open', 'in_progress') and due_on < (now() at time zone 'UTC')::date");
    expect(counts.overdue).toBe(due.length);
    expect(await readIds({})).toHaveLength(counts.active);
  });

  it("finds any part of reference, name, address or text, literally", async () => {
    const { reference } = (await readRow(backend, "public.data_rights_requests", "Person 59", "name"))!;
    const searches: [string, number][] = [
      [String(reference).toLowerCase(), 1],
      [`${reference} person`, 1],
      ["P59@example", 1],
      ["her_data", 60],
      ["50%", 60],
      ["5%0", 0],
      ["her-data", 0],
    ];
    for (const [search, count] of searches)
      expect([search, (await readIds({ folder: "all", search })).length]).toEqual([search, count]);
  });

  it("returns one request with log, mails and link expiry, and null for an unknown id", async () => {
    const request = await requests.receiveConfirmed();
    const data = await requests.find(request);
    expect(data).toMatchObject({ reference: request.reference, email: request.email, is_overdue: false });
    expect(data.events.map(({ action }: { action: string }) => action)).toEqual(["received", "confirmed"]);
    expect(data.mails).toMatchObject([
      { kind: "request-acknowledgement", delivered_at: null, gave_up_at: null },
      { kind: "request-firm" },
    ]);
    expect(JSON.stringify(data)).not.toContain(request.tokens.status);
    expect(data.confirmation_expires_at).toBeNull();
    expect(await requests.find({ id: randomUUID() })).toBeNull();
  });
});
