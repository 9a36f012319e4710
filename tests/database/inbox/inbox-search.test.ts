import { beforeEach, expect, it } from "vitest";
import { useAdmin } from "../support/admin.ts";
import { eachBackend } from "../support/backends.ts";
import { fillInbox, idsOf, list, readIdsInOrder } from "../support/inbox.ts";

eachBackend("inbox search", (backend) => {
  const admin = useAdmin(backend);

  beforeEach(() => backend.sql("delete from public.contact_submissions returning 1 as ok"));

  it("finds any part of any text, ignoring case and treating wildcards literally", async () => {
    await fillInbox(backend, 40);
    await fillInbox(backend, 1, { name: "'Ada Lovelace'", message: "e'It is 100% of the_plan \\\\o/\\nsecond line'" });
    const searches: [string, number][] = [
      ["ADA LOVE", 1],
      ["ngine", 41],
      ["a@EXAMPLE.com", 41],
      ["100%", 1],
      ["%", 1],
      ["_", 1],
      ["the_plan", 1],
      ["\\o/", 1],
      ["growth", 41],
      ["scale", 41],
      ["line", 1],
      ["' or true --", 0],
      ["lovelacea@example", 0],
      ["", 41],
      ["   ", 41],
      ["  Ada  ", 1],
    ];
    for (const [search, count] of searches) {
      const first = await list(admin, { search });
      const second = first.next ? await list(admin, { search, page_cursor: first.next }) : null;
      expect([search, first.rows.length + (second?.rows.length ?? 0)]).toEqual([search, count]);
      const back = second ? await list(admin, { search, page_cursor: second.previous }) : first;
      expect(idsOf(back)).toEqual(idsOf(first));
    }
    expect((await list(admin, { search: "ada", folder: "done" })).rows).toEqual([]);
  });

  it("finds a message by its new words after the service has corrected it", async () => {
    await fillInbox(backend, 1);
    const [id] = await readIdsInOrder(backend);
    await backend.sqlAs("service_role", "update public.contact_submissions set name = 'Grace Hopper'");
    expect(idsOf(await list(admin, { search: "hopper" }))).toEqual([id]);
  });
});
