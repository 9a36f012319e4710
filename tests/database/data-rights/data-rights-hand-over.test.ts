import type { SupabaseClient } from "@supabase/supabase-js";
import { beforeAll, expect, it } from "vitest";
import { packageDays } from "~/content/facts";
import { digestOfToken, newSecretToken } from "#supabase/functions/_shared/secret-token.ts";
import { eachBackend } from "../support/backends.ts";
import {
  findRow,
  readActions,
  readMails,
  receiveConfirmed,
  type ReceivedRequest,
  sampleMail,
} from "../support/data-rights.ts";
import { receive } from "../support/examples.ts";
import { signInAdmin } from "../support/test-backend.ts";

eachBackend("data packages", (backend) => {
  let admin: SupabaseClient;

  beforeAll(async () => {
    admin = backend.client((await signInAdmin(backend)).token);
  });

  const handOver = (request_id: string) =>
    admin.rpc("take_request_step", { step: "handOver", request_id, note: "Here it is", mail: sampleMail });

  async function call(name: string, token: string) {
    return (await backend.client().rpc(name, { token }).throwOnError()).data as Record<string, unknown>[];
  }

  /** Creates a request and hands over its data. */
  async function handOverNewRequest() {
    const request = await receiveConfirmed(backend, { type: "access" });
    await receive(backend.service, { submission: { email: request.email, message: "Mine" } });
    await handOver(request.id).throwOnError();
    return request;
  }

  /**
   * Queues the mail with the link, as deliver-outbox does.
   * @returns its token, or null when no mail was queued
   */
  async function sendLink(request: ReceivedRequest): Promise<string | null> {
    const token = newSecretToken();
    const { data } = await backend.service
      .rpc("queue_reminder", {
        request_id: request.id,
        reminder: "package-link",
        mail: sampleMail,
        package_token_hash: await digestOfToken(token),
      })
      .throwOnError();
    return data ? token : null;
  }

  const isDue = async ({ id }: { id: string }) =>
    (await backend.service.rpc("list_due_reminders").throwOnError()).data.some(
      (row: { request_id: string; reminder: string }) => row.request_id === id && row.reminder === "package-link",
    );

  it("offers a package by the status link for seven days and opens it only by a second link", async () => {
    const request = await handOverNewRequest();
    expect(await findRow(backend, request)).toMatchObject({ state: "completed" });
    const [offer] = await call("find_data_rights_status", request.tokens.status);
    const days = (Date.parse(String(offer!.package_until)) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(packageDays - 0.01);
    expect(days).toBeLessThanOrEqual(packageDays);
    expect(await call("find_package", request.tokens.status)).toEqual([]);
    expect(await call("fetch_package", request.tokens.status)).toEqual([]);
    expect(await sendLink(request)).toBeNull();

    expect(await call("request_package_link", request.tokens.status)).toHaveLength(1);
    expect(await isDue(request)).toBe(true);
    const token = (await sendLink(request))!;
    const mails = (await readMails(backend, request)).filter(({ recipient }) => recipient === request.email);
    expect(mails.map(({ kind }) => kind)).toContain("request-acknowledgement");
    expect(await call("find_package", token)).toMatchObject([{ reference: request.reference }]);
    const [fetched] = await call("fetch_package", token);
    expect(fetched!.content).toMatchObject({ email: request.email, submissions: [{ message: "Mine" }] });
    expect((await readActions(backend, request)).slice(2)).toEqual([
      "exported",
      "handed-over",
      "completed",
      "package-link-sent",
      "fetched",
    ]);
  });

  it("mails one link in ten minutes, and a new link ends the old one", async () => {
    const request = await handOverNewRequest();
    await call("request_package_link", request.tokens.status);
    const first = (await sendLink(request))!;
    await call("request_package_link", request.tokens.status);
    expect(await isDue(request)).toBe(false);
    await backend.sql(
      "update private.data_packages set link_wanted_at = now() where request_id = $1 returning 1 as ok",
      [request.id],
    );
    const second = (await sendLink(request))!;
    expect(await call("fetch_package", first)).toEqual([]);
    expect(await call("fetch_package", second)).toHaveLength(1);
  });

  it("deletes a package after its period or with its person", async () => {
    const request = await handOverNewRequest();
    await call("request_package_link", request.tokens.status);
    const token = (await sendLink(request))!;
    const age =
      "update private.data_packages set available_until = now() - interval '1 second' where request_id = $1 returning 1 as ok";
    await backend.sql(age, [request.id]);
    for (const [name, linkToken] of [
      ["request_package_link", request.tokens.status],
      ["find_package", token],
      ["fetch_package", token],
    ] as const)
      expect([name, await call(name, linkToken)]).toEqual([name, []]);
    expect(await call("find_data_rights_status", request.tokens.status)).toMatchObject([{ package_until: null }]);
    const count = "select count(*)::int as n from private.data_packages where request_id = $1";
    await backend.service.rpc("keep_retention", { source: "server" }).throwOnError();
    expect(await backend.sql(count, [request.id])).toEqual([{ n: 0 }]);

    const erased = await handOverNewRequest();
    const erasure = await receiveConfirmed(backend, { email: erased.email, type: "erasure" });
    await admin.rpc("erase_subject", { request_id: erasure.id, mail: sampleMail }).throwOnError();
    expect(await backend.sql(count, [erased.id])).toEqual([{ n: 0 }]);
  });

  it("requires an open request of a matching type and a message to the person", async () => {
    expect((await handOver((await receiveConfirmed(backend, { type: "object" })).id)).error?.code).toBe("55000");
    const request = await handOverNewRequest();
    expect((await handOver(request.id)).error?.code).toBe("55000");
    const open = await receiveConfirmed(backend, { type: "portability" });
    const { error } = await admin.rpc("take_request_step", {
      step: "handOver",
      request_id: open.id,
      note: " ",
      mail: sampleMail,
    });
    expect(error?.code).toBe("22023");
    expect(await call("find_data_rights_status", open.tokens.status)).toMatchObject([{ package_until: null }]);
  });
});
