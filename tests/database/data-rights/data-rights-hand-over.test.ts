import { expect, it } from "vitest";
import { packageDays } from "~/content/facts";
import { digestOfToken, newSecretToken } from "#supabase/functions/_shared/secret-token.ts";
import { eachBackend } from "../support/backends.ts";
import { type ReceivedRequest, sampleMail } from "../support/data-rights.ts";
import { receive } from "../support/examples.ts";
import { countRows, keepRetention, setRows } from "../support/retention.ts";
import { useRequests } from "../support/requests.ts";

eachBackend("data packages", (backend) => {
  const requests = useRequests(backend);
  const { admin } = requests;

  const call = (name: string, token: string) => requests.callByLink(name, token);

  /** Creates a request and hands over its data. */
  async function handOverNewRequest() {
    const request = await requests.receiveConfirmed({ type: "access" });
    await receive(backend.service, { submission: { email: request.email, message: "Mine" } });
    await requests.take(request.id, "handOver").throwOnError();
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
    expect(await requests.findRow(request)).toMatchObject({ state: "completed" });
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
    const mails = (await requests.readMails(request)).filter(({ recipient }) => recipient === request.email);
    expect(mails.map(({ kind }) => kind)).toContain("request-acknowledgement");
    expect(await call("find_package", token)).toMatchObject([{ reference: request.reference }]);
    const [fetched] = await call("fetch_package", token);
    expect(fetched!.content).toMatchObject({ email: request.email, submissions: [{ message: "Mine" }] });
    expect((await requests.readActions(request)).slice(2)).toEqual([
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
    await setRows(backend, "private.data_packages", request.id, "link_wanted_at = now()", "request_id");
    const second = (await sendLink(request))!;
    expect(await call("fetch_package", first)).toEqual([]);
    expect(await call("fetch_package", second)).toHaveLength(1);
  });

  it("deletes a package after its period or with its person", async () => {
    const request = await handOverNewRequest();
    await call("request_package_link", request.tokens.status);
    const token = (await sendLink(request))!;
    const isOver = "available_until = now() - interval '1 second'";
    await setRows(backend, "private.data_packages", request.id, isOver, "request_id");
    for (const [name, linkToken] of [
      ["request_package_link", request.tokens.status],
      ["find_package", token],
      ["fetch_package", token],
    ] as const)
      expect([name, await call(name, linkToken)]).toEqual([name, []]);
    expect(await call("find_data_rights_status", request.tokens.status)).toMatchObject([{ package_until: null }]);
    const count = ({ id }: { id: string }) => countRows(backend, "private.data_packages", id, "request_id");
    await keepRetention(backend);
    expect(await count(request)).toBe(0);

    const erased = await handOverNewRequest();
    const erasure = await requests.receiveConfirmed({ email: erased.email, type: "erasure" });
    await admin.rpc("erase_subject", { request_id: erasure.id, mail: sampleMail }).throwOnError();
    expect(await count(erased)).toBe(0);
  });

  it("offers nothing without a message to the person", async () => {
    const open = await requests.receiveConfirmed({ type: "portability" });
    expect((await requests.take(open.id, "handOver", " ")).error?.code).toBe("22023");
    expect(await call("find_data_rights_status", open.tokens.status)).toMatchObject([{ package_until: null }]);
  });
});
