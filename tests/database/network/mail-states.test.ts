import type { SupabaseClient } from "@supabase/supabase-js";
import { randomUUID } from "node:crypto";
import { beforeAll, expect, it } from "vitest";
import { eachBackend } from "../support/backends.ts";
import { newAddress } from "../support/data-rights.ts";
import { addMembers, clearNetwork } from "../support/letters.ts";
import { ageLinks, join, linkMail } from "../support/network.ts";
import { signInAdmin } from "../support/test-backend.ts";

const purposes = "letter network link reply statutory";

/** States of a member, as assignments, and the purposes for which they may be written to. */
const states: [assignments: string, allowed: string][] = [
  ["state = 'confirmed'", "letter network link reply statutory"],
  ["state = 'admitted', decided_at = now()", "letter network link reply statutory"],
  ["state = 'declined', decided_at = now()", "network link reply statutory"],
  ["state = 'asked', confirmed_at = null, renewed_at = null", "network link reply statutory"],
  ["paused_at = now()", "link reply statutory"],
  ["unsubscribed_at = now()", "reply statutory"],
  ["frozen_at = now()", "statutory"],
  ["unsubscribed_at = now(), paused_at = now()", "reply statutory"],
  ["state = 'asked', confirmed_at = null, renewed_at = null, paused_at = now()", "link reply statutory"],
  ["state = 'declined', decided_at = now(), unsubscribed_at = now()", "reply statutory"],
  ["unsubscribed_at = now(), frozen_at = now()", "statutory"],
];

/** Returns the result of a function, or the SQLSTATE of its refusal. */
async function call(client: SupabaseClient, name: string, parameters: Record<string, unknown> = {}) {
  const { data, error } = await client.rpc(name, parameters);
  return error ? error.code : data;
}

eachBackend("who may be written to", (backend) => {
  let admin: SupabaseClient;

  beforeAll(async () => {
    admin = backend.client((await signInAdmin(backend)).token);
  });

  it.each(states)("allows members with %s: %s", async (assignments, allowed) => {
    await clearNetwork(backend);
    await backend.exec("delete from private.rate_limits");
    await addMembers(backend, "state", 1);
    const [member] = await backend.sql<{ id: string; email: string; allowed: string }>(
      `update public.network_members as member set ${assignments} returning id, email, (
         select string_agg(purpose, ' ' order by place) from unnest(string_to_array($1, ' ')) with ordinality as asked (purpose, place)
         where private.may_write(member, purpose)
       ) as allowed`,
      [purposes],
    );
    expect(member!.allowed).toBe(allowed);
    // The same, as asked by a letter, the question to stay, the file, the button and the form for a lost link.
    const has = (purpose: string) => allowed.split(" ").includes(purpose);
    const isMember = /^(state = '(confirmed|admitted)'|paused_at|unsubscribed_at|frozen_at)/.test(assignments);
    const letter = await call(admin, "count_letter_recipients", { to_states: ["confirmed", "admitted"] });
    expect(letter.count).toBe(has("letter") ? 1 : 0);
    await backend.sql(
      "update public.network_members set renewed_at = now() - interval '3 years' where renewed_at < now() returning 1 as ok",
    );
    const due = await call(backend.service, "list_due_network_mails");
    expect(due).toHaveLength(has("network") && isMember ? 1 : 0);
    expect(await call(admin, "export_network_members")).toHaveLength(has("link") ? 1 : 0);
    const { digest } = await call(backend.service, "list_firm_notices", { morning: "2030-01-01" });
    const isReviewed = isMember && !assignments.includes("admitted");
    expect(digest?.network_confirmed ?? 0).toBe(has("link") && isReviewed ? 1 : 0);
    const shown = await call(admin, "find_network_member", { member_id: member!.id });
    expect(shown?.may_get_link ?? false).toBe(has("link"));
    const refusal = assignments.includes("frozen_at") ? "P0002" : "55006";
    const sent = await call(admin, "send_network_link", { member_id: member!.id, mail: linkMail });
    expect(sent).toBe(has("link") ? null : refusal);
    expect((await call(admin, "find_network_member", { member_id: member!.id }))?.paused_at ?? null).toBe(
      shown?.paused_at ?? null,
    );
    await ageLinks(backend, member!.email);
    const mails = () => backend.sql("select id from private.email_outbox where member_id = $1", [member!.id]);
    const before = await mails();
    await call(backend.service, "ask_network_link", { email: member!.email, mail: linkMail });
    const isMailed = has("reply") && !assignments.includes("asked");
    expect((await mails()).length - before.length).toBe(isMailed ? 1 : 0);
  });

  it("sends a reply to a member's own message although they stopped all mail, before and after the reply", async () => {
    const { submissionId, id } = await join(backend, { email: `Re.${newAddress()}`.toUpperCase() });
    const stop = () => backend.exec(`update public.network_members set unsubscribed_at = now() where id = '${id}'`);
    const reply = async () => {
      const mail = { subject: "Re: Your message", quotation: "You wrote:\n> Please call me." };
      const written = { submission_id: submissionId, reply_id: randomUUID(), reply: "We can.", mail };
      await admin.rpc("send_reply", written).throwOnError();
    };
    await reply();
    await stop();
    await reply();
    const { data } = await backend.service.rpc("claim_due_mail", { batch_size: 100, lease_seconds: 60 }).throwOnError();
    const kinds = data.map((mail: { kind: string }) => mail.kind);
    expect(kinds.filter((kind: string) => kind === "reply")).toHaveLength(2);
    expect(kinds).not.toContain("network");
  });
});
