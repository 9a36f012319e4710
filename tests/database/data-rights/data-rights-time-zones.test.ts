import type { SupabaseClient } from "@supabase/supabase-js";
import { afterEach, beforeAll, expect, it } from "vitest";
import { digestOfToken, newSecretToken } from "#supabase/functions/_shared/secret-token.ts";
import { formatDay, localDay, startOfLocalDay } from "~/lib/dates.ts";
import { eachBackend } from "../support/backends.ts";
import {
  findRow,
  newAddress,
  readMails,
  receiveConfirmed,
  receiveRequest,
  sampleMail,
  takeStep,
} from "../support/data-rights.ts";
import { signInAdmin } from "../support/test-backend.ts";

/** The last two never share a calendar day. */
const zones = ["UTC", "America/New_York", "Pacific/Kiritimati", "Pacific/Pago_Pago"];

const dayMs = 24 * 60 * 60 * 1000;
const addDays = (day: string, days: number) => new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);

eachBackend("dates of data rights requests", (backend) => {
  let admin: SupabaseClient;

  beforeAll(async () => {
    admin = backend.client((await signInAdmin(backend)).token);
  });
  afterEach(() => setTimeZone("UTC"));

  const setTimeZone = (name: unknown) => backend.service.rpc("set_site_facts", { facts: { TIME_ZONE: name } });

  const read = async (expression: string, parameters: unknown[] = []) =>
    (await backend.sql<{ value: string }>(`select (${expression})::text as value`, parameters))[0]!.value;

  async function enter(received_on: string) {
    const tokens = { confirm: newSecretToken(), status: newSecretToken() };
    return admin.rpc("enter_request", {
      request: { request_type: "access", name: "Ada Lovelace", email: newAddress(), description: "By letter" },
      channel: "letter",
      received_on,
      is_identified: true,
      confirm_token_hash: await digestOfToken(tokens.confirm),
      status_token_hash: await digestOfToken(tokens.status),
      mail: sampleMail,
    });
  }

  it.each(zones)("computes due dates from the firm's day in %s", async (zone) => {
    await setTimeZone(zone).throwOnError();
    const received = await receiveRequest(backend);
    const row = (await findRow(backend, received))!;
    const day = localDay(Date.parse(String(row.received_at)), zone);
    expect(row.due_on).toBe(await read("private.data_rights_due_on($1::date)", [day]));
    const [mail] = await readMails(backend, received);
    expect(mail!.body).toContain(`We will answer by: ${formatDay(String(row.due_on))}`);

    const confirmed = await receiveConfirmed(backend);
    await takeStep(admin, confirmed.id, "extend", "Many").throwOnError();
    const extended = (await findRow(backend, confirmed))!;
    const receivedOn = localDay(Date.parse(String(extended.received_at)), zone);
    expect(extended.due_on).toBe(await read("private.data_rights_extended_to($1::date)", [receivedOn]));
  });

  it.each(zones)("ends links, deadlines and restrictions at the firm's midnight in %s", async (zone) => {
    await setTimeZone(zone).throwOnError();
    const request = await receiveRequest(backend, { type: "restrict" });
    const today = await read("private.today()");
    const due = (day: string) =>
      backend.sql(
        "update public.data_rights_requests set due_on = $2::date, state = 'open', confirmed_at = now() where id = $1 returning 1 as ok",
        [request.id, day],
      );
    const isOverdue = async () =>
      ((await admin.rpc("find_request", { request_id: request.id }).throwOnError()).data as { is_overdue: boolean })
        .is_overdue;
    const countOverdue = async () => Number(await read("private.count_overdue_requests()"));
    await due(today);
    const before = await countOverdue();
    expect(await isOverdue()).toBe(false);
    await due(addDays(today, -1));
    expect([await isOverdue(), await countOverdue()]).toEqual([true, before + 1]);

    const ends = Date.parse(
      (await read("to_json(private.confirmation_ends_at($1::date))#>>'{}'", [addDays(today, 9)])) ?? "",
    );
    expect([localDay(ends - 1, zone), localDay(ends, zone)]).toEqual([addDays(today, 9), addDays(today, 10)]);
    await admin.rpc("take_request_step", { step: "restrict", request_id: request.id, note: "Asked" }).throwOnError();
    const lift = { request_id: request.id, note: "Over", mail: sampleMail };
    await admin.rpc("take_request_step", { step: "lift", ...lift }).throwOnError();
    expect(await findRow(backend, request)).toMatchObject({ restriction_ends_on: addDays(today, 7) });
  });

  it("treats the day on which a letter arrived as a day at the firm", async () => {
    for (const zone of zones) {
      await setTimeZone(zone).throwOnError();
      const today = localDay(Date.now(), zone);
      const { data: id } = await enter(today);
      const row = (await findRow(backend, { id: id as string }))!;
      expect(Date.parse(String(row.received_at))).toBe(startOfLocalDay(Date.now(), zone));
      expect(row.due_on).toBe(await read("private.data_rights_due_on($1::date)", [today]));
      expect((await enter(addDays(today, 1))).error?.code).toBe("22023");
    }
  });

  it("agrees with JavaScript on days around midnights and clock changes", async () => {
    for (const zone of [...zones, "Africa/Cairo", "Asia/Beirut", "America/Santiago", "Europe/Berlin"]) {
      await setTimeZone(zone).throwOnError();
      const noons = [70, 72, 73, 86, 87, 119, 120, 247, 248, 301, 302, 303, 310].map((day) =>
        Date.UTC(2027, 0, day, 12),
      );
      const starts = noons.map((noon) => startOfLocalDay(noon, zone));
      const instants = starts.flatMap((at) => [at - 1, at, at + 60 * 60 * 1000 - 1, at + 3 * 60 * 60 * 1000]);
      for (const at of instants) {
        const iso = new Date(at).toISOString();
        expect([zone, iso, await read("private.local_day($1::timestamptz)", [iso])]).toEqual([
          zone,
          iso,
          localDay(at, zone),
        ]);
      }
      for (const at of starts) {
        const epoch = await read("extract(epoch from private.start_of_day($1::date))::bigint", [localDay(at, zone)]);
        expect([zone, new Date(Number(epoch) * 1000).toISOString()]).toEqual([zone, new Date(at).toISOString()]);
      }
    }
  });

  it("keeps facts for the service only, and refuses those that no site has", async () => {
    const facts = { SITE_URL: "https://firm.example", FIRM_NAME: "Firm “One”", TIME_ZONE: "UTC" };
    await backend.service.rpc("set_site_facts", { facts }).throwOnError();
    for (const wrong of [null, [], "x", { ...facts, SMTP_PASSWORD: "x" }, { FIRM_NAME: "" }, { FIRM_NAME: 1 }])
      expect([wrong, (await backend.service.rpc("set_site_facts", { facts: wrong })).error?.code]).toEqual([
        wrong,
        "22023",
      ]);
    expect((await backend.service.rpc("read_site_facts")).data).toEqual(facts);
    for (const client of [backend.client(), admin])
      expect((await client.rpc("read_site_facts")).error?.code).toBe("42501");
  });

  it("accepts a time zone from the service only, and only by its full name", async () => {
    await setTimeZone("Pacific/Kiritimati").throwOnError();
    for (const name of ["CET", "EST5EDT", "+05:30", "Nowhere/Land", "", " ", null])
      expect([name, (await setTimeZone(name)).error?.code]).toEqual([name, "22023"]);
    for (const client of [backend.client(), admin])
      expect((await client.rpc("set_site_facts", { facts: {} })).error?.code).toBe("42501");
    expect(await read("private.time_zone()")).toBe("Pacific/Kiritimati");
  });
});
