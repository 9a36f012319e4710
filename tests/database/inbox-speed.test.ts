import type { SupabaseClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { backends } from "./support/backends.ts";
import { answerMail, receiveConfirmed } from "./support/data-rights.ts";
import { signInAdmin, type TestBackend } from "./support/test-backend.ts";

/** Most that a page of a list may take, in milliseconds, as its caller measures it. */
const limitMs = 200;

/** A word that stands in the oldest message only: a search for it reads everything. */
const rareWord = "xylophone";

/** Messages of 1,000 to 2,000 characters of words, a minute apart, three in five of them done. */
const fillSubmissions = `
  insert into public.contact_submissions (name, email, company, stage, goal, message, created_at, state, quarantine_reason)
  select 'Person ' || n, 'person' || n || '@example.com', 'Company ' || n % 500, 'Growth', 'Scale the practice',
    case when n = 10000 then '${rareWord} ' else '' end
      || (select string_agg(substr('market venture health capital advise growth clinic patient', (n * 7 + w * 11) % 48, 9) || w, ' ')
          from generate_series(1, 90 + n % 90) as w),
    now() - n * interval '1 minute',
    case when n % 5 < 3 then 'done' when n % 5 = 3 then 'new' else 'in_progress' end,
    case when n % 50 = 0 then 'honeypot' end
  from generate_series(1, 10000) as n returning 1 as ok`;

const fillRequests = `
  insert into public.data_rights_requests
    (reference, request_type, name, email, description, state, received_at, due_on, confirmed_at, closed_at)
  select private.new_request_reference(), 'access', 'Person ' || n, 'person' || n || '@example.com',
    repeat('Please tell me what you hold about me. ', 10 + n % 30),
    case when n % 4 = 0 then 'open' else 'completed' end, now() - n * interval '1 day',
    (now() - n * interval '1 day')::date + 30, now(), case when n % 4 <> 0 then now() - n * interval '6 hours' end
  from generate_series(1, 1000) as n returning 1 as ok`;

/** The two mails of each message, delivered but for one in a hundred. */
const fillMails = `
  insert into private.email_outbox (submission_id, kind, recipient, reply_to, subject, body, delivered_at)
  select submission.id, kinds.kind, case kinds.kind when 'acknowledgement' then submission.email end,
    case kinds.kind when 'firm' then submission.email end, 'A message', submission.message,
    case when random() < 0.99 then submission.created_at end
  from public.contact_submissions as submission, unnest(array['firm', 'acknowledgement']) as kinds (kind)
  returning 1 as ok`;

describe.each(backends)("the admin's lists with 10,000 messages and 1,000 requests on $name", ({ start }) => {
  let backend: TestBackend;
  let admin: SupabaseClient;

  beforeAll(async () => {
    backend = await start();
    admin = backend.client((await signInAdmin(backend)).token);
    await backend.sql(fillSubmissions);
    await backend.sql(fillRequests);
    await backend.sql(fillMails);
  });
  afterAll(() => backend?.close());

  interface Page {
    rows: { id: string }[];
    previous: string | null;
    next: string | null;
  }

  /** The median of five calls. */
  async function measure(name: string, parameters: Record<string, unknown> = {}): Promise<number> {
    const times: number[] = [];
    for (let i = 0; i < 5; i += 1) {
      const before = performance.now();
      await admin.rpc(name, parameters).throwOnError();
      times.push(performance.now() - before);
    }
    return times.toSorted((a, b) => a - b)[2]!;
  }

  /** Turns pages to the end and returns every cursor on the way. */
  async function turnAll(name: string, parameters: Record<string, unknown>): Promise<string[]> {
    const cursors: string[] = [];
    for (let cursor: string | null = null; ;) {
      const { data } = await admin.rpc(name, { ...parameters, page_cursor: cursor }).throwOnError();
      const page = data as Page;
      if (!page.next) return cursors;
      cursors.push(page.next);
      cursor = page.next;
    }
  }

  it("shows every page quickly, the last like the first", async () => {
    const figures: Record<string, number> = {};
    for (const folder of ["all", "in_progress", "quarantined"]) {
      const cursors = await turnAll("list_submissions", { folder });
      figures[`${folder}, first`] = await measure("list_submissions", { folder });
      figures[`${folder}, last of ${cursors.length + 1}`] = await measure("list_submissions", {
        folder,
        page_cursor: cursors.at(-1),
      });
    }
    const requests = await turnAll("list_requests", { folder: "all" });
    figures["requests, first"] = await measure("list_requests", { folder: "all" });
    figures["requests, last"] = await measure("list_requests", { folder: "all", page_cursor: requests.at(-1) });
    figures["search, common"] = await measure("list_submissions", { search: "VENTURE" });
    figures["search, rare"] = await measure("list_submissions", { search: rareWord });
    figures["search, nothing"] = await measure("list_submissions", { search: "no such words" });
    figures["search, rare in a folder"] = await measure("list_submissions", { search: rareWord, folder: "new" });
    figures["search in requests"] = await measure("list_requests", { folder: "all", search: "no such words" });
    figures["counts of messages"] = await measure("count_submissions");
    figures["counts of requests"] = await measure("count_requests");
    figures["state of the mail"] = await measure("outbox_status");
    if (process.env.SHOW_FIGURES)
      console.info(JSON.stringify(figures, (_, v) => (typeof v === "number" ? Math.round(v) : v), 1));
    for (const [what, ms] of Object.entries(figures)) expect(ms, what).toBeLessThan(limitMs);
    expect(figures["all, last of 400"]).toBeLessThan(figures["all, first"]! * 3 + 10);
  });

  it("takes out, counts and erases one person among ten thousand in less than a second", async () => {
    const request = await receiveConfirmed(backend, { type: "erasure", email: "PERSON5000@example.com" });
    const figures: Record<string, number> = {};
    const calls: [string, Record<string, unknown>][] = [
      ["export_subject_data", { request_id: request.id }],
      ["preview_erasure", { request_id: request.id }],
      ["erase_subject", { request_id: request.id, mail: answerMail }],
    ];
    for (const [name, parameters] of calls) {
      const before = performance.now();
      await admin.rpc(name, parameters).throwOnError();
      figures[name] = performance.now() - before;
    }
    const before = performance.now();
    const { data } = await backend.service.rpc("keep_retention", { source: "server" }).throwOnError();
    figures.keep_retention = performance.now() - before;
    if (process.env.SHOW_FIGURES) console.info(JSON.stringify(figures), JSON.stringify(data));
    for (const [what, ms] of Object.entries(figures).slice(0, 3)) expect(ms, what).toBeLessThan(1000);
  });
});
