import type { SupabaseClient } from "@supabase/supabase-js";
import { randomUUID } from "node:crypto";
import { beforeAll, expect, it } from "vitest";
import { newSecretToken, digestOfToken } from "#supabase/functions/_shared/secret-token.ts";
import { eachBackend } from "../support/backends.ts";
import {
  findRow,
  newAddress,
  readActions,
  readMails,
  receiveConfirmed,
  receiveRequest,
  sampleMail,
  takeStep,
} from "../support/data-rights.ts";
import { type Person, signInAdmin } from "../support/test-backend.ts";

const states = ["unconfirmed", "open", "in_progress", "completed", "refused", "withdrawn"] as const;
type State = (typeof states)[number];

function newHash(): Promise<string> {
  return digestOfToken(newSecretToken());
}

const step = (name: string) => ({ step: name, note: "Because", mail: sampleMail });

eachBackend("actions on data rights requests", (backend) => {
  let person: Person;
  let admin: SupabaseClient;

  beforeAll(async () => {
    person = await signInAdmin(backend);
    admin = backend.client(person.token);
  });

  /** Creates a request in this state, using only the regular calls. */
  async function requestIn(state: State) {
    if (state === "unconfirmed") return receiveRequest(backend);
    const request = await receiveConfirmed(backend, { email: newAddress() });
    const transitions: Record<Exclude<State, "unconfirmed" | "open">, () => PromiseLike<unknown>> = {
      in_progress: () => takeStep(admin, request.id, "startWork").throwOnError(),
      completed: () => takeStep(admin, request.id, "complete").throwOnError(),
      refused: () => takeStep(admin, request.id, "refuse", "No").throwOnError(),
      withdrawn: () =>
        backend.client().rpc("withdraw_data_rights_request", { token: request.tokens.status }).throwOnError(),
    };
    if (state !== "open") await transitions[state]();
    return request;
  }

  const worked: State[] = ["open", "in_progress"];
  const takes = (name: string, from: State[], action: string, to?: State) =>
    ({ name: "take_request_step", parameters: step(name), from, action, to }) as const;

  const verbs: { name: string; parameters: Record<string, unknown>; from: State[]; to?: State; action: string }[] = [
    takes("startWork", ["open"], "taken-up", "in_progress"),
    takes("extend", worked, "extended"),
    takes("complete", worked, "completed", "completed"),
    takes("refuse", ["unconfirmed", ...worked], "refused", "refused"),
    takes("note", [...states], "noted"),
    { name: "resend_request_links", parameters: step("resend"), from: ["unconfirmed"], action: "confirmation-resent" },
    { name: "export_subject_data", parameters: {}, from: [...worked, "completed"], action: "exported" },
  ];

  async function parametersOf({ name, parameters: { note, ...parameters } }: (typeof verbs)[number], id: string) {
    if (name !== "resend_request_links") return { ...parameters, ...(note ? { note } : {}), request_id: id };
    const hashes = { confirm_token_hash: await newHash(), status_token_hash: await newHash() };
    return { ...parameters, request_id: id, ...hashes };
  }

  it.each(verbs)("$name $parameters.step succeeds in its states and is rejected in all others", async (verb) => {
    for (const state of states) {
      const request = await requestIn(state);
      const before = await findRow(backend, request);
      const log = await readActions(backend, request);
      const { error } = await admin.rpc(verb.name, await parametersOf(verb, request.id));
      const allowed = verb.from.includes(state);
      expect([state, error?.code]).toEqual([state, allowed ? undefined : "55000"]);
      const after = await findRow(backend, request);
      expect([state, after!.state]).toEqual([state, allowed ? (verb.to ?? state) : state]);
      expect(allowed ? null : after).toEqual(allowed ? null : before);
      expect(await readActions(backend, request)).toEqual(allowed ? [...log, verb.action] : log);
    }
    expect((await admin.rpc(verb.name, await parametersOf(verb, randomUUID()))).error?.code).toBe("P0002");
  });

  it.each(["erase", "package", "correct", "resend", "unknown", null])(
    "leaves the step %s to the function that does all of it",
    async (name) => {
      const { id } = await requestIn("open");
      const { error } = await admin.rpc("take_request_step", { request_id: id, ...step(String(name)), step: name });
      expect(error?.code).toBe("22023");
    },
  );

  it("logs actor, action and note permanently", async () => {
    const request = await requestIn("in_progress");
    // Twice, as a form does that is sent again after Back: this is one note.
    for (const note of ["  Asked\nthe bank \n", "Asked\nthe bank"])
      await takeStep(admin, request.id, "note", note).throwOnError();
    const log = "select * from public.data_rights_events where request_id = $1 order by id";
    expect(await backend.sql(log, [request.id])).toMatchObject([
      { actor_kind: "requester", actor: null, action: "received", note: null },
      { actor_kind: "requester", actor: null, action: "confirmed" },
      { actor_kind: "admin", actor: person.id, action: "taken-up" },
      { actor_kind: "admin", actor: person.id, action: "noted", note: "Asked\nthe bank" },
    ]);
    const onlyAdded = /data_rights_events is only ever added to/;
    const change = "update public.data_rights_events set note = 'x' where request_id = $1 returning 1 as ok";
    await expect(backend.sql(change, [request.id])).rejects.toThrow(onlyAdded);
    const erase = "delete from public.data_rights_events where request_id = $1 returning 1 as ok";
    await expect(backend.sql(erase, [request.id])).rejects.toThrow(onlyAdded);
    const cascade = "delete from public.data_rights_requests where id = $1 returning 1 as ok";
    await expect(backend.sql(cascade, [request.id])).rejects.toThrow(onlyAdded);
    expect(await readActions(backend, request)).toHaveLength(4);
  });

  it("rejects missing or malformed texts and changes nothing", async () => {
    const request = await requestIn("open");
    const before = await findRow(backend, request);
    const mails = await readMails(backend, request);
    const long = "a".repeat(2001);
    const wrong: [string, Record<string, unknown>][] = [
      ["take_request_step", { step: "note", note: null }],
      ["take_request_step", { step: "note", note: " \n\t" }],
      ["take_request_step", { step: "note", note: long }],
      ["take_request_step", { step: "extend", note: "", mail: sampleMail }],
      ["take_request_step", { step: "extend", note: "Many", mail: { subject: "", body: "b" } }],
      ["take_request_step", { step: "refuse", note: null, mail: sampleMail }],
      ["take_request_step", { step: "refuse", note: "No", mail: {} }],
      ["take_request_step", { step: "refuse", note: "No", mail: null }],
      ["take_request_step", { step: "complete", note: long, mail: sampleMail }],
      ["take_request_step", { step: "complete", note: "Done", mail: { subject: "a\r\nBcc: x@y.example", body: "b" } }],
      ["take_request_step", { step: "complete", note: "Done", mail: { subject: "a", body: " " } }],
    ];
    for (const [name, parameters] of wrong) {
      const { error } = await admin.rpc(name, { request_id: request.id, ...parameters });
      expect([name, parameters, error?.code]).toEqual([name, parameters, "22023"]);
    }
    expect(await findRow(backend, request)).toEqual(before);
    expect(await readMails(backend, request)).toEqual(mails);
    expect(await readActions(backend, request)).toEqual(["received", "confirmed"]);
  });

  it("resends a confirmation with new links, also for a suspicious request, and ends the old ones", async () => {
    for (const quarantineReason of [undefined, "honeypot"]) {
      const request = await receiveRequest(backend, { quarantineReason });
      const tokens = { confirm: newSecretToken(), status: newSecretToken() };
      const hashes = {
        confirm_token_hash: await digestOfToken(tokens.confirm),
        status_token_hash: await digestOfToken(tokens.status),
      };
      await admin
        .rpc("resend_request_links", { step: "resend", request_id: request.id, ...hashes, mail: sampleMail })
        .throwOnError();
      expect((await readMails(backend, request)).at(0)).toMatchObject({
        kind: "request-acknowledgement",
        recipient: request.email,
      });
      const confirm = (token: string) => backend.client().rpc("confirm_data_rights_request", { token });
      expect((await confirm(request.tokens.confirm)).data).toEqual([]);
      expect((await confirm(tokens.confirm)).data).toHaveLength(1);
      expect(await findRow(backend, request)).toMatchObject({ state: "open", quarantine_reason: null });
    }
  });
});
