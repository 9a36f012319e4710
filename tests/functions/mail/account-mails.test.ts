import { expect, it } from "vitest";
import { useWorld } from "../support/world.ts";

const world = useWorld();

const area = "the admin area of firm.example";

it.each([
  ["password-changed", `Your password for ${area} was changed`, "All other sessions of your account have ended."],
  ["sign-in", `New device signed in to ${area}`, "\nDevice: Safari on iPhone\nTime: "],
  ["factor-on", `Two-step verification set up for ${area}`, "reset your two-step verification"],
  ["factor-off", `Two-step verification turned off for ${area}`, "reset your two-step verification"],
  ["recovery-code", `Recovery code used for ${area}`, "create new ones"],
  ["wrong-codes", `Five wrong codes for ${area}`, "change your password right away"],
])("tells an account's owner of %s once, in the firm's time and without a link", async (kind, subject, advice) => {
  // A stored fact is the site's; a secret left from before is not.
  world.settings.TIME_ZONE = "Pacific/Kiritimati";
  const facts = { SITE_URL: "https://firm.example", TIME_ZONE: "America/New_York" };
  await world.service.rpc("set_site_facts", { facts }).throwOnError();
  const { id, token, email } = await world.signIn();
  if (kind === "password-changed")
    await world.sql("update auth.users set encrypted_password = 'another' where id = $1", [id]);
  else if (kind === "sign-in")
    await world.client(token).rpc("record_sign_in", { device: "Safari on iPhone", is_new_device: true }).throwOnError();
  else await world.sql("select private.note_account_event($1, $2)::text", [id, kind]);
  await world.sql("update private.account_events set at = '2026-11-20T01:30:00Z' where user_id = $1", [id]);
  await world.deliver();
  await world.deliver();
  const [mail, ...others] = await world.takeMails(email);
  expect([mail!.subject, others]).toEqual([subject, []]);
  expect(mail!.text).toContain("November 19, 2026 at 8:30 PM EST");
  expect(mail!.text).toContain(advice);
  expect(mail!.text).not.toMatch(/https?:/);
  expect(await world.sql("select 1 from private.email_outbox where recipient = $1", [email])).toEqual([]);
});
