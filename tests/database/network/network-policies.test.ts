import type { SupabaseClient } from "@supabase/supabase-js";
import { randomUUID } from "node:crypto";
import { beforeAll, expect, it } from "vitest";
import { eachBackend } from "../support/backends.ts";
import { callAsk, findMember, join, linkMail } from "../support/network.ts";
import { callerOf, type Person, refusal, type Role, signInAdmin } from "../support/test-backend.ts";

const roles: Role[] = ["anonymous", "signed-in", "admin", "service"];

eachBackend("policies of the network", (backend) => {
  let person: Person;
  let admin: Person;
  let member: { id: string; email: string; token: string };

  beforeAll(async () => {
    person = await backend.signIn();
    admin = await signInAdmin(backend);
    member = await join(backend);
  });

  function as(role: Role): SupabaseClient {
    if (role === "service") return backend.service;
    return backend.client({ anonymous: undefined, "signed-in": person.token, admin: admin.token }[role]);
  }

  it.each(roles)("rejects every direct read and write by the role %s", async (role) => {
    const row = { ...(await findMember(backend, member.email)), id: randomUUID(), email: "x@example.com" };
    const event = { id: 0, member_id: member.id, actor_kind: "member", action: "confirmed" };
    const statements: [string, unknown?][] = [
      ["select from public.network_members"],
      ["select from public.network_events"],
      ["insert into public.network_members select * from jsonb_populate_record(null::public.network_members, $1)", row],
      ["update public.network_members set state = 'admitted'"],
      ["delete from public.network_members"],
      [
        `insert into public.network_events overriding system value
         select * from jsonb_populate_record(null::public.network_events, $1)`,
        event,
      ],
      ["update public.network_events set note = 'x'"],
      ["delete from public.network_events"],
    ];
    for (const [statement, written] of statements)
      expect([statement, await refusal(backend, callerOf(role, person, admin), statement, [written])]).toEqual([
        statement,
        "42501",
      ]);
  });

  it.each(["anonymous", "signed-in", "admin"] as const)("rejects service functions by the role %s", async (role) => {
    expect((await callAsk(as(role))).error?.code).toBe("42501");
    const link = { mail: linkMail };
    const calls: [string, Record<string, unknown>][] = [
      ["ask_network_link", { email: member.email, ...link }],
      ["ask_network_link", { token: member.token, ...link }],
      ["list_due_network_mails", {}],
      ["queue_network_mail", { member_id: member.id, mail_kind: "renewal", ...link }],
    ];
    for (const [name, parameters] of calls)
      expect([name, (await as(role).rpc(name, parameters)).error?.code]).toEqual([name, "42501"]);
  });

  it.each(["anonymous", "signed-in", "service"] as const)("rejects admins' functions by the role %s", async (role) => {
    const calls: [string, Record<string, unknown>][] = [
      ["list_network_members", {}],
      ["export_network_members", {}],
      ["find_network_member", { member_id: member.id }],
      ["review_network_member", { member_id: member.id, action: "admitted", note: null, seen_version: 1 }],
      ["send_network_link", { member_id: member.id, mail: linkMail }],
      ["remove_network_member", { member_id: member.id }],
      ["find_request", { request_id: randomUUID() }],
      ["correct_record", { request_id: randomUUID(), record_id: randomUUID(), field: "name", value: "X" }],
    ];
    for (const [name, parameters] of calls)
      expect([name, (await as(role).rpc(name, parameters)).error?.code]).toEqual([name, "42501"]);
    expect(await findMember(backend, member.email)).toMatchObject({ state: "confirmed" });
    expect(await backend.sql("select 1 from public.admin_events where action = 'members-exported'")).toEqual([]);
  });

  it("opens a member's page to the holder of the link, signed in or not, and to no key alone", async () => {
    for (const role of ["anonymous", "signed-in", "admin"] as const)
      expect((await as(role).rpc("find_membership", { token: member.token })).data).toMatchObject({
        email: member.email,
      });
    expect((await as("service").rpc("find_membership", { token: member.token })).error?.code).toBe("42501");
  });
});
