import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import {
  dataRightsFormTypes as everyType,
  type DataRightsRequestType,
  dataRightsRequestTypes as proven,
} from "#supabase/functions/_shared/data-rights-request.ts";
import { eachBackend } from "../support/backends.ts";
import { newLinks, sampleMail, useRequests } from "../support/data-rights.ts";

const states = ["unconfirmed", "open", "in_progress", "completed", "refused", "withdrawn"] as const;
type State = (typeof states)[number];

const worked: State[] = ["open", "in_progress"];

/** A stored request and its log. */
interface StoredRequest {
  id: string;
  row: { state: State; request_type: DataRightsRequestType };
  log: string[];
}

/** A step of an admin, the states and types of requests for which it is possible, its log entry, and the state after it. */
interface Step {
  step: string;
  states: readonly State[];
  types: readonly DataRightsRequestType[];
  logs?: string;
  becomes?: State;
  /** states of the restriction in which it is possible */
  while?: "restricted" | "ending";
  /** error although it is possible: no message to correct is stored */
  code?: string;
}

const steps: Step[] = [
  { step: "startWork", states: ["open"], types: everyType, logs: "taken-up", becomes: "in_progress" },
  { step: "note", states, types: everyType, logs: "noted" },
  { step: "extend", states: worked, types: proven, logs: "extended" },
  { step: "complete", states: worked, types: proven, logs: "completed", becomes: "completed" },
  { step: "outcome", states: worked, types: ["complaint"], logs: "completed", becomes: "completed" },
  { step: "refuse", states: ["unconfirmed", ...worked], types: proven, logs: "refused", becomes: "refused" },
  {
    step: "handOver",
    states: worked,
    types: ["access", "portability", "other"],
    logs: "exported, handed-over, completed",
    becomes: "completed",
  },
  { step: "restrict", states: worked, types: ["restrict", "object", "rectification", "other"], logs: "restricted" },
  { step: "lift", states, types: proven, while: "restricted", logs: "restriction-ending" },
  { step: "keepRestriction", states, types: proven, while: "ending", logs: "restriction-kept" },
  { step: "resend", states: ["unconfirmed"], types: proven, logs: "confirmation-resent" },
  { step: "acknowledge", states: worked, types: ["complaint"], logs: "acknowledgement-resent" },
  { step: "package", states: [...worked, "completed"], types: proven, logs: "exported" },
  { step: "correct", states: worked, types: ["rectification", "other"], code: "P0002" },
  { step: "erase", states: worked, types: ["erasure", "object", "other"] },
];

/** Stores a request of each type in each state that it can have, restricted or not, each from another address. */
const insertRequests = `
  insert into public.data_rights_requests (
    reference, request_type, name, email, description, state, due_on, confirmed_at, closed_at, frozen_at,
    restriction_ends_on
  )
  select private.new_request_reference(), type, 'Ada', gen_random_uuid() || '@example.com', 'Mine', state,
    private.today() + 20, case when state <> 'unconfirmed' and type <> 'complaint' then now() end,
    case when state in ('completed', 'refused', 'withdrawn') then now() end,
    case when $3 in ('restricted', 'ending') then now() end, case when $3 = 'ending' then private.today() + 7 end
  from jsonb_array_elements_text($1::jsonb) as type, jsonb_array_elements_text($2::jsonb) as state
  where type <> 'complaint' or state not in ('unconfirmed', 'refused')
  returning id`;

eachBackend("actions on data rights requests", (backend) => {
  const requests = useRequests(backend);
  const { admin } = requests;

  async function insertAll(restriction = "none"): Promise<string[]> {
    const lists = [everyType, states].map((list) => JSON.stringify(list));
    return (await backend.sql<{ id: string }>(insertRequests, [...lists, restriction])).map(({ id }) => id);
  }

  const read = (ids: string[]) =>
    backend.sql<StoredRequest>(
      `select request.id, to_jsonb(request) as row, array(
         select event.action from public.data_rights_events as event where event.request_id = request.id order by event.id
       ) as log
       from public.data_rights_requests as request
       where request.id in (select jsonb_array_elements_text($1::jsonb)::uuid) order by request.id`,
      [JSON.stringify(ids)],
    );

  async function resend(step: string, request_id: string) {
    const { tokens, hashes } = await newLinks();
    const { error } = await admin.rpc("resend_request_links", { request_id, step, mail: sampleMail, ...hashes });
    return { tokens, error };
  }

  /** Takes a step by the function that does all of it. */
  async function take(step: string, request_id: string) {
    if (step === "package") return admin.rpc("export_subject_data", { request_id });
    if (step === "erase") return requests.erase({ id: request_id });
    if (step === "correct")
      return admin.rpc("correct_record", { request_id, record_id: randomUUID(), field: "name", value: "Grace" });
    if (step === "resend" || step === "acknowledge") return resend(step, request_id);
    return requests.take(request_id, step);
  }

  it.each(steps)("$step succeeds for its states and types of requests, and changes no other", async (step) => {
    const before = await read(await insertAll(step.while));
    expect(before).toHaveLength(46);
    for (const { id, row, log } of before) {
      const { state, request_type } = row;
      const isPossible = step.states.includes(state) && step.types.includes(request_type);
      const { error } = await take(step.step, id);
      expect([state, request_type, error?.code]).toEqual([state, request_type, isPossible ? step.code : "55000"]);
      const after = await read([id]);
      const taken = step.step === "erase" ? [] : [[step.becomes ?? state, step.logs ?? ""]];
      expect(isPossible ? after.map((request) => [request.row.state, request.log.join(", ")]) : after).toEqual(
        isPossible ? taken : [{ id, row, log }],
      );
    }
    expect((await take(step.step, randomUUID())).error?.code).toBe("P0002");
  });

  it.each([
    ["restrict", "restricted"],
    ["lift", "none"],
    ["lift", "ending"],
    ["keepRestriction", "none"],
    ["keepRestriction", "restricted"],
  ])("refuses the step %s while the restriction is %s", async (step, restriction) => {
    const stored = await read(await insertAll(restriction));
    const { id } = stored.find(({ row }) => row.request_type === "restrict" && row.state === "open")!;
    expect((await requests.take(id, step)).error?.code).toBe("55000");
  });

  it("logs actor, action and note permanently", async () => {
    const request = await requests.receiveConfirmed();
    await requests.take(request.id, "startWork").throwOnError();
    // Twice, as a form does that is sent again after Back: this is one note.
    for (const note of ["  Asked\nthe bank \n", "Asked\nthe bank", "It answered"])
      await requests.take(request.id, "note", note).throwOnError();
    const log = "select * from public.data_rights_events where request_id = $1 order by id";
    expect(await backend.sql(log, [request.id])).toMatchObject([
      { actor_kind: "requester", actor: null, action: "received", note: null },
      { actor_kind: "requester", actor: null, action: "confirmed" },
      { actor_kind: "admin", actor: admin.id, action: "taken-up" },
      { actor_kind: "admin", actor: admin.id, action: "noted", note: "Asked\nthe bank" },
      { actor_kind: "admin", actor: admin.id, action: "noted", note: "It answered" },
    ]);
    const changes = [
      "update public.data_rights_events set note = 'x' where request_id = $1 returning 1 as ok",
      "delete from public.data_rights_events where request_id = $1 returning 1 as ok",
      "delete from public.data_rights_requests where id = $1 returning 1 as ok",
    ];
    for (const change of changes)
      await expect(backend.sql(change, [request.id])).rejects.toThrow(/data_rights_events is only ever added to/);
    expect(await requests.readActions(request)).toHaveLength(5);
  });

  it("rejects malformed texts, and steps that are none of this function, and changes nothing", async () => {
    const request = await requests.receiveConfirmed({ type: "other" });
    const find = async () => [await requests.findRow(request), await requests.readMails(request)];
    const before = await find();
    const long = "a".repeat(2001);
    const wrong: Record<string, unknown>[] = [
      { step: "note", note: null },
      { step: "note", note: " \n\t" },
      { step: "note", note: long },
      { step: "restrict", note: " " },
      { step: "restrict", note: null },
      { step: "extend", note: "" },
      { step: "handOver", note: " " },
      { step: "extend", mail: { subject: "", body: "b" } },
      { step: "refuse", note: null },
      { step: "refuse", mail: {} },
      { step: "refuse", mail: null },
      { step: "complete", note: long },
      { step: "complete", mail: { subject: "a\r\nBcc: x@y.example", body: "b" } },
      { step: "complete", mail: { subject: "a", body: " " } },
      ...["erase", "package", "correct", "resend", "unknown", null].map((step) => ({ step })),
    ];
    for (const parameters of wrong) {
      const usual = { request_id: request.id, note: "Because", mail: sampleMail };
      const code = await admin.call("take_request_step", { ...usual, ...parameters });
      expect([parameters, code]).toEqual([parameters, "22023"]);
    }
    expect(await find()).toEqual(before);
    expect(await requests.readActions(request)).toEqual(["received", "confirmed"]);
  });

  it("resends a confirmation with new links, also for a suspicious request, and ends the old ones", async () => {
    const request = await requests.receive({ quarantineReason: "honeypot" });
    expect(await requests.findRow(request)).toMatchObject({ quarantine_reason: "honeypot", state: "unconfirmed" });
    expect(await requests.readKinds(request)).toEqual(["request-acknowledgement", "request-firm"]);
    const { tokens } = await resend("resend", request.id);
    const [mail] = await requests.readMails(request);
    expect(mail).toMatchObject({ kind: "request-acknowledgement", recipient: request.email });
    expect(await requests.confirm(request.tokens.confirm)).toEqual([]);
    expect(await requests.confirm(tokens.confirm)).toHaveLength(1);
    expect(await requests.findRow(request)).toMatchObject({ state: "open", quarantine_reason: null });
  });

  it("acknowledges a complaint again with a new status link alone, and ends the old one", async () => {
    const complaint = await requests.receive({ type: "complaint" });
    const { tokens } = await resend("acknowledge", complaint.id);
    expect(await requests.findByConfirm(tokens.confirm)).toEqual([]);
    expect(await requests.findByStatus(complaint.tokens.status)).toEqual([]);
    expect(await requests.findByStatus(tokens.status)).toHaveLength(1);
  });
});
