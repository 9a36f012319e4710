import type { SupabaseClient } from "@supabase/supabase-js";
import { beforeAll, expect, it } from "vitest";
import { eachBackend } from "../support/backends.ts";
import { findRow, readMails, receiveConfirmed, takeStep } from "../support/data-rights.ts";
import { signInAdmin } from "../support/test-backend.ts";

eachBackend("extension of data rights requests", (backend) => {
  let admin: SupabaseClient;

  beforeAll(async () => {
    admin = backend.client((await signInAdmin(backend)).token);
  });

  it("extends a request once, before its due date, and mails the new date", async () => {
    const request = await receiveConfirmed(backend);
    const extend = () => takeStep(admin, request.id, "extend", "Many");
    await extend().throwOnError();
    const row = (await findRow(backend, request))!;
    const [expected] = await backend.sql<{ due_on: string; words: string }>(
      `select private.data_rights_extended_to($1::date)::text as due_on,
         to_char(private.data_rights_extended_to($1::date), 'FMMonth FMDD, YYYY') as words`,
      [String(row.received_at).slice(0, 10)],
    );
    expect(row.due_on).toBe(expected!.due_on);
    expect(row).toMatchObject({ extension_reason: "Many", extended_at: expect.any(String), state: "open" });
    expect((await readMails(backend, request)).filter(({ kind }) => kind === "request-answer")).toEqual([
      {
        kind: "request-answer",
        recipient: request.email,
        subject: `Your request ${request.reference}`,
        body: `We have answered. Due ${expected!.words}.`,
      },
    ]);
    expect((await extend()).error).toMatchObject({ code: "55000" });
    expect(await findRow(backend, request)).toEqual(row);
  });

  it.each([
    ["on the day before it is due", 1, undefined],
    ["on the day it is due", 0, "55000"],
    ["when it is overdue", -1, "55000"],
  ])("accepts or rejects an extension %s", async (_, daysLeft, code) => {
    const request = await receiveConfirmed(backend);
    const set =
      "update public.data_rights_requests set due_on = (now() at time zone 'UTC')::date + $2::int where id = $1 returning 1 as ok";
    await backend.sql(set, [request.id, daysLeft]);
    const before = await findRow(backend, request);
    const { error } = await takeStep(admin, request.id, "extend", "Many");
    expect(error?.code).toBe(code);
    const isUnchanged = JSON.stringify(await findRow(backend, request)) === JSON.stringify(before);
    expect(isUnchanged).toBe(code !== undefined);
  });
});
