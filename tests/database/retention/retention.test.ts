import { expect, it } from "vitest";
import { eachBackend } from "../support/backends.ts";
import { newCode, receive } from "../support/examples.ts";
import { ago, countRows, keepRetention, nothingDeleted, setRows } from "../support/retention.ts";

eachBackend("retention of messages and mails", (backend) => {
  const submissions = "public.contact_submissions";

  it("deletes messages and their dependent rows after two years, and none earlier", async () => {
    const old = (await receive(backend.service)).data!.submission_id;
    const young = (await receive(backend.service)).data!.submission_id;
    await setRows(backend, submissions, old, `created_at = ${ago("2 years 1 second")}`);
    await setRows(backend, submissions, young, `created_at = ${ago("2 years")} + interval '1 minute'`);
    expect(await keepRetention(backend)).toMatchObject({ ...nothingDeleted, submissions: 1 });
    expect([await countRows(backend, submissions, old), await countRows(backend, submissions, young)]).toEqual([0, 1]);
    expect(await countRows(backend, "private.email_outbox", old, "submission_id")).toBe(0);
  });

  it("deletes mail 30 days after it was delivered or given up, and keeps queued mail", async () => {
    const ids = [];
    for (const assignments of [
      `delivered_at = ${ago("30 days 1 second")}`,
      `delivered_at = ${ago("29 days 23 hours")}`,
      `gave_up_at = ${ago("31 days")}`,
      `created_at = ${ago("1 year")}`,
    ]) {
      const { submission_id } = (await receive(backend.service)).data!;
      await setRows(backend, "private.email_outbox", submission_id, assignments, "submission_id");
      ids.push(submission_id);
    }
    expect(await keepRetention(backend)).toMatchObject({ ...nothingDeleted, mails: 4 });
    const left = await Promise.all(ids.map((id) => countRows(backend, "private.email_outbox", id, "submission_id")));
    expect(left).toEqual([0, 2, 0, 2]);
  });

  it("deletes client codes once their counts expire", async () => {
    const [old, young] = [newCode(), newCode()];
    for (const client of [old, young]) await receive(backend.service, { clientCodes: { client } }).throwOnError();
    await setRows(backend, "private.rate_limits", old, `resets_at = ${ago("1 second")}`, "key");
    expect(await keepRetention(backend)).toMatchObject(nothingDeleted);
    const limits = "private.rate_limits";
    expect([await countRows(backend, limits, old, "key"), await countRows(backend, limits, young, "key")]).toEqual([
      0, 1,
    ]);
  });

  it("removes a sender's IP address after 30 days, unless the message is restricted", async () => {
    const [old, young, frozen] = await Promise.all(
      ["31 days", "29 days", "31 days"].map(async (moment) => {
        const id = (await receive(backend.service, { submission: { ip_address: "203.0.113.9" } })).data!.submission_id;
        await setRows(backend, submissions, id, `created_at = ${ago(moment)}`);
        return id;
      }),
    );
    await setRows(backend, submissions, frozen!, "frozen_at = now()");
    expect(await keepRetention(backend)).toEqual({ ...nothingDeleted, sender_addresses: 1 });
    const findAddress = async (id = "") => {
      const [row] = await backend.sql<{ ip_address: string | null }>(
        `select ip_address from ${submissions} where id = $1`,
        [id],
      );
      return row?.ip_address;
    };
    expect(await Promise.all([old, young, frozen].map(findAddress))).toEqual([null, "203.0.113.9", "203.0.113.9"]);
    await setRows(backend, submissions, frozen!, "frozen_at = null, ip_address = null");
  });
});
