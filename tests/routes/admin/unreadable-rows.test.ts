import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { withDatabase } from "#supabase/embedded/operations/read-database.ts";
import { startSite } from "../../support/site";
import { makeSiteFolder } from "../../support/site-folder";
import { expectPage } from "./support/pages";
import { openWorld } from "./support/world";

const odd = "0dd00000-0000-4000-8000-0000000000dd";

/** Adds a second of each kind to the examples, as no form can send it. */
const plant = `
  do $$ declare kind record; begin
    for kind in select conrelid::regclass as relation, conname from pg_constraint
      where contype = 'c' and connamespace in ('public'::regnamespace, 'private'::regnamespace)
    loop execute format('alter table %s drop constraint %I', kind.relation, kind.conname); end loop;
  end $$;
  insert into public.network_members
    select (jsonb_populate_record(member, '{"id": "${odd}", "email": "odd@fund.example", "fields": [["ai"], ["devices"]]}')).*
    from public.network_members as member where state = 'confirmed' limit 1;
  insert into public.contact_submissions
    select (jsonb_populate_record(submission, '{"id": "${odd}", "state": "odd"}')).*
    from public.contact_submissions as submission where state = 'done' limit 1;
  -- One page of messages.
  delete from public.contact_submissions where state not in ('odd', 'done');
  insert into public.data_rights_requests
    select (jsonb_populate_record(request, '{"id": "${odd}", "reference": "DR-0DD000", "request_type": "odd"}')).*
    from public.data_rights_requests as request where state = 'open' limit 1;
  insert into private.account_events (id, user_id, kind, is_mail_due) overriding system value
    select 1000, id, 'odd', false from auth.users;`;

const world = openWorld(async () => {
  const dataDir = await makeSiteFolder();
  const seed = await readFile("supabase/seed.sql", "utf8");
  await withDatabase(join(dataDir, "pg"), async (database) => void (await database.exec(`${seed};${plant}`)));
  return startSite({}, { dataDir });
});

it.each([
  ["/admin/network?filter=confirmed", 'class="member-person"', "list_network_members", odd],
  ["/admin?filter=all", 'class="inbox-row"', "read_inbox", odd],
  ["/admin/requests?filter=active", 'class="request-row"', "read_requests", odd],
  ["/admin/account", "Signed in", "own_account", "1000"],
])("%s shows a row that it cannot read as such, among the others, and logs it", async (path, others, name, id) => {
  const page = await world.admin.get(path);
  expectPage(page, 200, `This entry cannot be read. Reference: ${id}`);
  expect(page.html).toContain(others);
  const logged = world.site
    .output()
    .match(/.*admin\.row-unreadable.*/g)
    ?.join("");
  expect(logged).toContain(name);
  expect(logged).not.toContain(odd);
});

it.each(["/admin/network.csv?filter=confirmed", "/admin/submissions.csv?filter=all"])(
  "%s ends with a row that says so",
  async (path) => {
    const { html: csv } = await world.admin.post(path, { separator: "comma" });
    const rows = csv.trim().split("\r\n");
    expect(rows.at(-1)).toMatch(new RegExp(`^"This entry cannot be read\\.",(?:"",)+"${odd}"$`));
    expect(rows.length).toBeGreaterThan(2);
  },
);
