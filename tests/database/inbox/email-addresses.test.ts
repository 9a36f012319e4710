import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { isEmailAddress } from "#supabase/functions/_shared/email-address.ts";
import { callReceive } from "../support/data-rights.ts";
import { eachBackend } from "../support/backends.ts";
import { receive, receiveMessage } from "../support/examples.ts";
import { setRows } from "../support/retention.ts";

/** Addresses as the forms pass them on, and as a direct caller of the database might. */
const addresses = [
  "ada@example.com",
  "Ada.L+x@Example.COM",
  "o'brien@firm.example",
  "a@b.test",
  "admin@site.localhost",
  "info@xn--mnchen-3ya.example",
  "a@xn--e1afmkfd.xn--p1ai",
  "1@2.example",
  "ada@gmail",
  "ada@localhost",
  "ada.@",
  "a..b@firm.example",
  ".a@firm.example",
  "a.@firm.example",
  "a@b..example",
  "a@.example",
  "a@example.",
  "ada@1.2.3.4",
  "ada@[1.2.3.4]",
  "ada@firm.c",
  "ada@-firm.example",
  "ada@firm-.example",
  "ada@fi_rm.example",
  "a b@firm.example",
  "ada@firm.example, bob@firm.example",
  "ada@firm.example\nBcc: x@y.example",
  "ådå@firm.example",
  "info@münchen.example",
  "Ada <ada@firm.example>",
  `a@${"b".repeat(63)}.example`,
  `a@${"b".repeat(64)}.example`,
  "plain",
  "@",
];

eachBackend("email addresses", (backend) => {
  it.each(addresses)("agrees with the forms about the address %j", async (email) => {
    const isGood = isEmailAddress(email);
    const code = isGood ? undefined : "23514";
    expect((await receive(backend.service, { submission: { email } })).error?.code).toBe(code);
    expect((await callReceive(backend.service, { email })).error?.code).toBe(code);
  });

  it("lets a message with a malformed stored address be changed", async () => {
    const id = await receiveMessage(backend);
    await setRows(backend, "public.contact_submissions", id, "email = 'a..b@firm'");
    const change = "update public.contact_submissions set state = 'done' where id = $1 returning email, state";
    expect(await backend.sql(change, [id])).toEqual([{ email: "a..b@firm", state: "done" }]);
  });

  it("accepts a malformed address of an account for a password link only", async () => {
    const account = `${randomBytes(6).toString("hex")}@a.example`;
    await backend.sql("insert into auth.users (id, email) values (gen_random_uuid(), $1) returning id", [account]);
    const link = (purpose: string, email: string) =>
      backend.sql(
        `insert into private.account_links (token_hash, purpose, email, user_id, expires_at)
         select $1, $2, $3, case when $2 = 'new-password' then (select id from auth.users limit 1) end, now() returning id`,
        [randomBytes(32).toString("hex"), purpose, email],
      );
    await expect(link("invitation", "ada@firm")).rejects.toMatchObject({ code: "23514" });
    await expect(link("invitation", "ada@firm.example")).resolves.toHaveLength(1);
    await expect(link("new-password", "ada@firm")).resolves.toHaveLength(1);
  });
});
