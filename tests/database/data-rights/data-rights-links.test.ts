import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { digestOfToken, newSecretToken } from "#supabase/functions/_shared/secret-token.ts";
import { eachBackend } from "../support/backends.ts";
import { type ReceivedRequest } from "../support/data-rights.ts";
import { useRequests } from "../support/requests.ts";

const functions = ["confirm_data_rights_request", "find_data_rights_status", "withdraw_data_rights_request"] as const;

eachBackend("links of a data rights request", (backend) => {
  const requests = useRequests(backend);

  const call = (name: (typeof functions)[number], token: string | null) => requests.callByLink(name, token);
  const confirm = (token: string | null) => call("confirm_data_rights_request", token);
  const findByConfirmLink = (token: string | null) =>
    requests.callByLink("find_data_rights_status", token, { purpose: "confirm" });

  const ageConfirmLink = ({ id }: ReceivedRequest, assignment: string) =>
    backend.sql(
      `update private.data_rights_links set ${assignment} where request_id = $1 and purpose = 'confirm' returning 1 as ok`,
      [id],
    );

  it("shows the request, and no personal data, any number of times without confirming it", async () => {
    const request = await requests.receive({ type: "erasure" });
    const before = await requests.findRow(request);
    for (let i = 0; i < 3; i += 1) {
      expect(await findByConfirmLink(request.tokens.confirm)).toEqual([
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

  it("confirms a request once, after which the confirmation link confirms nothing", async () => {
    const request = await requests.receive();
    expect(await confirm(request.tokens.confirm)).toEqual([{ reference: request.reference }]);
    const confirmed = await requests.findRow(request);
    expect(confirmed).toMatchObject({ state: "open", confirmed_at: expect.any(String) });
    const used = "select purpose from private.data_rights_links where request_id = $1 and used_at is not null";
    expect(await backend.sql(used, [request.id])).toEqual([{ purpose: "confirm" }]);
    expect(await confirm(request.tokens.confirm)).toEqual([]);
    expect(await requests.findRow(request)).toEqual(confirmed);
    expect(await requests.readActions(request)).toEqual(["received", "confirmed"]);
  });

  it("shows a confirmed request for an hour by the confirmation link, and always by the status link", async () => {
    const request = await requests.receive();
    await confirm(request.tokens.confirm);
    const shown = await findByConfirmLink(request.tokens.confirm);
    expect(shown).toEqual(await call("find_data_rights_status", request.tokens.status));
    expect(shown).toMatchObject([{ reference: request.reference, state: "open", extended_at: null, closed_at: null }]);
    await ageConfirmLink(request, "used_at = now() - interval '61 minutes'");
    expect(await findByConfirmLink(request.tokens.confirm)).toEqual([]);
  });

  it("rejects an expired confirmation link while the status link still works", async () => {
    const request = await requests.receive();
    await ageConfirmLink(request, "expires_at = now() - interval '1 second'");
    expect(await findByConfirmLink(request.tokens.confirm)).toEqual([]);
    expect(await confirm(request.tokens.confirm)).toEqual([]);
    expect(await requests.findRow(request)).toMatchObject({ state: "unconfirmed", confirmed_at: null });
    expect(await call("find_data_rights_status", request.tokens.status)).toMatchObject([{ state: "unconfirmed" }]);
  });

  it.each(["unconfirmed", "open", "in_progress"])("withdraws a request in the state %s once", async (state) => {
    const request = await (state === "unconfirmed" ? requests.receive : requests.receiveConfirmed)();
    await requests.set(request, `state = '${state}'`);
    const results = await Promise.all(
      Array.from({ length: 5 }, () => call("withdraw_data_rights_request", request.tokens.status)),
    );
    expect(results.flat()).toEqual([{ reference: request.reference }]);
    expect(await requests.findRow(request)).toMatchObject({ state: "withdrawn", closed_at: expect.any(String) });
    expect((await requests.readActions(request)).at(-1)).toBe("withdrawn");
    expect(await call("find_data_rights_status", request.tokens.status)).toMatchObject([{ state: "withdrawn" }]);
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
    for (const token of forged) {
      expect(await findByConfirmLink(token)).toEqual([]);
      for (const name of functions) expect(await call(name, token)).toEqual([]);
    }
    expect(await findByConfirmLink(status)).toEqual([]);
    for (const name of functions)
      expect([name, await call(name, name.includes("confirm") ? status : own)]).toEqual([name, []]);
    expect(await requests.findRow(request)).toEqual(before);
  });

  it("removes links from stored mail once it was delivered or given up", async () => {
    for (const outcome of ["delivered", "rejected"]) {
      const request = await requests.receive();
      const [mail] = await backend.sql<{ id: string }>(
        "select id from private.email_outbox where request_id = $1 and kind = 'request-acknowledgement'",
        [request.id],
      );
      const settle = (as: string) =>
        backend.service.rpc("settle_mails", { attempts: [{ mail_id: mail!.id, outcome: as }] }).throwOnError();
      await settle("retry");
      expect((await requests.readMails(request))[0]!.body).toContain(request.tokens.confirm);
      await settle(outcome);
      const [kept] = await requests.readMails(request);
      expect(kept!.body).toContain("confirm?token=(removed)");
      expect(kept!.body).not.toContain(request.tokens.confirm);
      expect(kept!.body).not.toContain(request.tokens.status);
    }
  });
});
