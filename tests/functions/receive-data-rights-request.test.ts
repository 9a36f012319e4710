import { describe, expect, it } from "vitest";
import { newRequest } from "./support/site.ts";
import { firm, useWorld } from "./support/world.ts";

const world = useWorld();

const ada = "ada@example.com";
const accepted = [200, { ok: true }];
const send = (body: unknown) => world.ask("receive-data-rights-request", body);

interface Stored extends Record<string, unknown> {
  id: string;
  reference: string;
  due: string;
}

const findRequests = ({ description }: { description: string }) =>
  world.sql<Stored>(
    `select id, reference, request_type, name, email, state, quarantine_reason,
       to_char(due_on, 'FMMonth FMDD, YYYY') as due
     from public.data_rights_requests where description = $1`,
    [description],
  );

describe("receive-data-rights-request", () => {
  it("stores a request, mails its links to the requester and a notice that names nobody to the firm", async () => {
    const request = newRequest({ name: "Zyx {{reference}}", description: "Zyx {{reference}} {{due_on}}" });
    // The second is a repetition.
    for (let time = 0; time < 2; time += 1) expect(await send(request)).toEqual(accepted);
    const [stored, ...others] = await findRequests(request);
    expect(others).toEqual([]);
    expect(stored).toMatchObject({ request_type: "access", name: request.name, email: ada, state: "unconfirmed" });

    const [toRequester] = await world.takeMails(ada);
    expect(toRequester).toMatchObject({ replyTo: firm });
    const [toFirm, ...more] = await world.takeMails(firm);
    expect(more).toEqual([]);
    expect(toFirm!.text).toContain(`\nOpen it here: https://firm.example/admin/requests/${stored!.id}\n`);
    expect(JSON.stringify([toRequester, toFirm])).not.toMatch(/Zyx|\{\{/);

    const tokenOf = (page: string) =>
      new RegExp(`https://firm\\.example/data-rights/${page}\\?token=([A-Za-z0-9_-]{43})\\s`).exec(
        toRequester!.text,
      )?.[1];
    const [confirm, status] = [tokenOf("confirm"), tokenOf("status")];
    const visitor = world.client();
    const found = await visitor.rpc("find_data_rights_status", { token: status }).throwOnError();
    expect(found.data).toMatchObject([{ reference: stored!.reference, state: "unconfirmed" }]);
    await visitor.rpc("confirm_data_rights_request", { token: confirm }).throwOnError();
    expect(await findRequests(request)).toMatchObject([{ state: "open" }]);
  });

  it("opens a complaint, acknowledges it without a confirmation link, and notifies the firm", async () => {
    const request = newRequest({ requestType: "complaint", description: "Zyx" });
    expect(await send(request)).toEqual(accepted);
    const [stored] = await findRequests(request);
    expect(stored).toMatchObject({ request_type: "complaint", state: "open" });
    const [toRequester] = await world.takeMails(ada);
    expect(toRequester!.subject).toBe(`We have received your complaint ${stored!.reference}`);
    for (const words of ["at firm.example", `tell you the outcome by: ${stored!.due}`, "/data-rights/status?token="])
      expect(toRequester!.text).toContain(words);
    expect(toRequester!.text).not.toMatch(/data-rights\/confirm|Zyx/);
    const [toFirm] = await world.takeMails(firm);
    expect(toFirm!.subject).toBe(`Complaint ${stored!.reference}, due ${stored!.due}`);
    expect(toFirm!.text).toContain(`\nOpen it here: https://firm.example/admin/requests/${stored!.id}\n`);
    expect(JSON.stringify(toFirm)).not.toMatch(/ada@example|Zyx/);
  });

  it("marks a request that tripped the honeypot, and tells the firm", async () => {
    const request = newRequest({ honeypot: "https://spam.example" });
    expect(await send(request)).toEqual(accepted);
    expect(await findRequests(request)).toMatchObject([{ quarantine_reason: "honeypot" }]);
    const [toFirm] = await world.takeMails(firm);
    expect(toFirm!.text).toContain("the form's hidden field was filled in");
  });
});
