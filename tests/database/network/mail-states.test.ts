import { expect, it } from "vitest";
import { call, useAdmin } from "../support/admin.ts";
import { eachBackend } from "../support/backends.ts";
import { newAddress } from "../support/data-rights.ts";
import { sendReply } from "../support/inbox.ts";
import { addMembers, clearNetwork } from "../support/letters.ts";
import { claimMails, listMails } from "../support/mail.ts";
import { linkMail, useNetwork } from "../support/network.ts";

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

eachBackend("mail to a member", (backend) => {
  const admin = useAdmin(backend);
  const network = useNetwork(backend);

  it.each(states)("with %s goes for these purposes: %s", async (assignments, allowed) => {
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
    const letter = await admin.call("count_letter_recipients", { to_states: ["confirmed", "admitted"] });
    expect(letter.count).toBe(has("letter") ? 1 : 0);
    await backend.exec(
      "update public.network_members set renewed_at = now() - interval '3 years' where renewed_at < now()",
    );
    const due = await call(backend.service, "list_due_network_mails");
    expect(due).toHaveLength(has("network") && isMember ? 1 : 0);
    expect(await admin.call("export_network_members")).toHaveLength(has("link") ? 1 : 0);
    const { digest } = await call(backend.service, "list_firm_notices", { morning: "2030-01-01" });
    const isReviewed = isMember && !assignments.includes("admitted");
    expect(digest?.network_confirmed ?? 0).toBe(has("link") && isReviewed ? 1 : 0);
    expect(JSON.stringify(digest)).not.toContain(member!.email);
    const find = () => admin.call("find_network_member", { member_id: member!.id });
    const shown = await find();
    expect(shown?.may_get_link ?? false).toBe(has("link"));
    const refusal = assignments.includes("frozen_at") ? "P0002" : "55006";
    const sent = await admin.call("send_network_link", { member_id: member!.id, mail: linkMail });
    expect(sent).toBe(has("link") ? null : refusal);
    expect((await find())?.paused_at ?? null).toBe(shown?.paused_at ?? null);
    await network.ageLinks(member!.email);
    const countMails = async () => (await listMails(backend, "member_id = $1", [member!.id])).length;
    const before = await countMails();
    await call(backend.service, "ask_network_link", { email: member!.email, mail: linkMail });
    const isMailed = has("reply") && !assignments.includes("asked");
    expect((await countMails()) - before).toBe(isMailed ? 1 : 0);
  });

  it("answers their own message although they stopped all mail, before and after the reply", async () => {
    const { submissionId, email } = await network.join({ email: `Re.${newAddress()}`.toUpperCase() });
    expect(await sendReply(admin, submissionId)).toBe(true);
    await network.set(email, "unsubscribed_at = now()");
    expect(await sendReply(admin, submissionId)).toBe(true);
    const kinds = (await claimMails(backend)).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === "reply")).toHaveLength(2);
    expect(kinds).not.toContain("network");
  });
});
