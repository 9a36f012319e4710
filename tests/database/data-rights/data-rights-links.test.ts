import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { packageDays } from "~/content/facts";
import { digestOfToken, newSecretToken } from "#supabase/functions/_shared/secret-token.ts";
import { call } from "../support/admin.ts";
import { eachBackend } from "../support/backends.ts";
import { sampleMail, useRequests } from "../support/data-rights.ts";
import { receive } from "../support/examples.ts";
import { settleMail } from "../support/mail.ts";
import { countRows, keepRetention, setRows } from "../support/retention.ts";

eachBackend("links of a data rights request", (backend) => {
  const requests = useRequests(backend);
  const { byLink, confirm, findByConfirm, findByStatus, withdraw } = requests;

  const ageConfirmLink = ({ id }: { id: string }, assignment: string) =>
    setRows(backend, "private.data_rights_links", id, assignment, "purpose = 'confirm' and request_id");

  it("shows the request, and no personal data, any number of times without confirming it", async () => {
    const request = await requests.receive({ type: "erasure" });
    const before = await requests.findRow(request);
    for (let i = 0; i < 3; i += 1) {
      expect(await findByConfirm(request.tokens.confirm)).toEqual([
        {
          reference: request.reference,
          request_type: "erasure",
          state: "unconfirmed",
          received_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
          due_on: before!.due_on,
          confirmed_at: null,
          extended_at: null,
          closed_at: null,
          package_until: null,
        },
      ]);
    }
    expect(await requests.findRow(request)).toEqual(before);
    expect(await requests.readActions(request)).toEqual(["received"]);
  });

  it("confirms a request once, after which the confirmation link shows it for an hour", async () => {
    const request = await requests.receive();
    expect(await confirm(request.tokens.confirm)).toEqual([{ reference: request.reference }]);
    const confirmed = await requests.findRow(request);
    expect(confirmed).toMatchObject({ state: "open", confirmed_at: expect.any(String) });
    const used = "select purpose from private.data_rights_links where request_id = $1 and used_at is not null";
    expect(await backend.sql(used, [request.id])).toEqual([{ purpose: "confirm" }]);
    expect(await confirm(request.tokens.confirm)).toEqual([]);
    expect(await requests.findRow(request)).toEqual(confirmed);
    expect(await requests.readActions(request)).toEqual(["received", "confirmed"]);
    const shown = await findByConfirm(request.tokens.confirm);
    expect(shown).toEqual(await findByStatus(request.tokens.status));
    expect(shown).toMatchObject([{ reference: request.reference, state: "open", extended_at: null, closed_at: null }]);
    await ageConfirmLink(request, "used_at = now() - interval '61 minutes'");
    expect(await findByConfirm(request.tokens.confirm)).toEqual([]);
  });

  it("rejects an expired confirmation link while the status link still works", async () => {
    const request = await requests.receive();
    await ageConfirmLink(request, "expires_at = now() - interval '1 second'");
    expect(await findByConfirm(request.tokens.confirm)).toEqual([]);
    expect(await confirm(request.tokens.confirm)).toEqual([]);
    expect(await requests.findRow(request)).toMatchObject({ state: "unconfirmed", confirmed_at: null });
    expect(await findByStatus(request.tokens.status)).toMatchObject([{ state: "unconfirmed" }]);
  });

  it.each(["unconfirmed", "open", "in_progress"])("withdraws a request in the state %s once", async (state) => {
    const request = await (state === "unconfirmed" ? requests.receive : requests.receiveConfirmed)();
    await requests.set(request, `state = '${state}'`);
    const results = await Promise.all(Array.from({ length: 5 }, () => withdraw(request.tokens.status)));
    expect(results.flat()).toEqual([{ reference: request.reference }]);
    expect(await requests.findRow(request)).toMatchObject({ state: "withdrawn", closed_at: expect.any(String) });
    expect((await requests.readActions(request)).at(-1)).toBe("withdrawn");
    expect(await findByStatus(request.tokens.status)).toMatchObject([{ state: "withdrawn" }]);
    expect(await confirm(request.tokens.confirm)).toEqual([]);
  });

  it("rejects tokens of the other purpose, digests and forged tokens", async () => {
    const request = await requests.receive();
    const before = await requests.findRow(request);
    const { confirm: own, status } = request.tokens;
    const forged = [
      newSecretToken(),
      await digestOfToken(own),
      await digestOfToken(status),
      `${own.slice(0, -1)}${own.endsWith("A") ? "B" : "A"}`,
      `${own}A`,
      ` ${own}`,
      `${own}\n`,
      own.slice(1),
      randomBytes(32).toString("base64"),
      "%",
      "",
      "' or true --",
      "a".repeat(100_000),
      null,
    ];
    for (const open of [findByConfirm, confirm])
      for (const token of [...forged, status]) expect(await open(token)).toEqual([]);
    for (const open of [findByStatus, withdraw])
      for (const token of [...forged, own]) expect(await open(token)).toEqual([]);
    expect(await requests.findRow(request)).toEqual(before);
  });

  it.each(["delivered", "rejected"])("removes links from stored mail once it was %s", async (outcome) => {
    const request = await requests.receive();
    const [mail] = await backend.sql<{ id: string }>(
      "select id from private.email_outbox where request_id = $1 and kind = 'request-acknowledgement'",
      [request.id],
    );
    await settleMail(backend, mail!, "retry").throwOnError();
    expect((await requests.readMails(request))[0]!.body).toContain(request.tokens.confirm);
    await settleMail(backend, mail!, outcome).throwOnError();
    const [kept] = await requests.readMails(request);
    expect(kept!.body).toContain("confirm?token=(removed)");
    expect(kept!.body).not.toContain(request.tokens.confirm);
    expect(kept!.body).not.toContain(request.tokens.status);
  });

  /** Creates a request and hands over its data. */
  async function handOverNewRequest() {
    const request = await requests.receiveConfirmed({ type: "access" });
    await receive(backend.service, { submission: { email: request.email, message: "Mine" } });
    await requests.take(request.id, "handOver").throwOnError();
    return request;
  }

  /**
   * Queues the mail with the link to a package, as deliver-outbox does.
   * @returns its token, or null when no mail was queued
   */
  async function sendLink({ id }: { id: string }): Promise<string | null> {
    const token = newSecretToken();
    const reminder = { request_id: id, reminder: "package-link", mail: sampleMail };
    const package_token_hash = await digestOfToken(token);
    return (await call(backend.service, "queue_reminder", { ...reminder, package_token_hash })) === true ? token : null;
  }

  it("offers a package by the status link for seven days and opens it only by a second link", async () => {
    const request = await handOverNewRequest();
    expect(await requests.findRow(request)).toMatchObject({ state: "completed" });
    const [offer] = await findByStatus(request.tokens.status);
    const days = (Date.parse(String(offer!.package_until)) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(packageDays - 0.01);
    expect(days).toBeLessThanOrEqual(packageDays);
    expect(await byLink("find_package", request.tokens.status)).toEqual([]);
    expect(await byLink("fetch_package", request.tokens.status)).toEqual([]);
    expect(await sendLink(request)).toBeNull();

    expect(await byLink("request_package_link", request.tokens.status)).toHaveLength(1);
    expect(await requests.listDue(request)).toMatchObject([{ reminder: "package-link" }]);
    const token = (await sendLink(request))!;
    expect(await byLink("find_package", token)).toMatchObject([{ reference: request.reference }]);
    const [fetched] = await byLink("fetch_package", token);
    expect(fetched!.content).toMatchObject({ email: request.email, submissions: [{ message: "Mine" }] });
    const log = ["exported", "handed-over", "completed", "package-link-sent", "fetched"];
    expect((await requests.readActions(request)).slice(2)).toEqual(log);
  });

  it("mails one link to a package in ten minutes, and a new link ends the old one", async () => {
    const request = await handOverNewRequest();
    await byLink("request_package_link", request.tokens.status);
    const first = (await sendLink(request))!;
    await byLink("request_package_link", request.tokens.status);
    expect(await requests.listDue(request)).toEqual([]);
    await setRows(backend, "private.data_packages", request.id, "link_wanted_at = now()", "request_id");
    const second = (await sendLink(request))!;
    expect(await byLink("fetch_package", first)).toEqual([]);
    expect(await byLink("fetch_package", second)).toHaveLength(1);
  });

  it("deletes a package after its period or with its person", async () => {
    const request = await handOverNewRequest();
    await byLink("request_package_link", request.tokens.status);
    const token = (await sendLink(request))!;
    const isOver = "available_until = now() - interval '1 second'";
    await setRows(backend, "private.data_packages", request.id, isOver, "request_id");
    expect(await byLink("request_package_link", request.tokens.status)).toEqual([]);
    for (const name of ["find_package", "fetch_package"]) expect(await byLink(name, token)).toEqual([]);
    expect(await findByStatus(request.tokens.status)).toMatchObject([{ package_until: null }]);
    const count = ({ id }: { id: string }) => countRows(backend, "private.data_packages", id, "request_id");
    await keepRetention(backend);
    expect(await count(request)).toBe(0);

    const erased = await handOverNewRequest();
    await requests.erase(await requests.receiveConfirmed({ email: erased.email, type: "erasure" })).throwOnError();
    expect(await count(erased)).toBe(0);
  });
});
