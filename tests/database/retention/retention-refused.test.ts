import { randomBytes } from "node:crypto";
import { beforeAll, expect, it } from "vitest";
import { useAdmin } from "../support/admin.ts";
import { eachBackend } from "../support/backends.ts";
import { receive } from "../support/examples.ts";
import { listMails } from "../support/mail.ts";
import { useNetwork } from "../support/network.ts";
import { ago, countRows, keepRetention, setRows } from "../support/retention.ts";

/** Tables whose foreign keys block deletion, as a table added by hand would. */
const keepers = `
  create table private.keeps_submissions (id uuid references public.contact_submissions (id));
  create table private.keeps_mails (id uuid references private.email_outbox (id));
  create table private.keeps_consents (id text references public.user_consents (session_id));
  create table private.keeps_members (id uuid references public.network_members (id));`;

eachBackend("retention of rows that a constraint keeps", (backend) => {
  const admin = useAdmin(backend);
  const network = useNetwork(backend);

  beforeAll(() => backend.exec(keepers));

  const createMessage = async () => (await receive(backend.service).throwOnError()).data.submission_id;
  const createMail = async () => (await listMails(backend, "submission_id = $1", [await createMessage()]))[0]!.id;
  async function createConsent() {
    const session = randomBytes(16).toString("hex");
    await backend.exec(
      `insert into public.user_consents (session_id, analytics_consent, marketing_consent, functional_consent, consent_version, updated_at)
       values ('${session}', true, false, true, '1.0', now())`,
    );
    return session;
  }

  it.each([
    ["submissions", createMessage, "public.contact_submissions", "id", `created_at = ${ago("3 years")}`],
    ["mails", createMail, "private.email_outbox", "id", `delivered_at = ${ago("40 days")}`],
    ["consents", createConsent, "public.user_consents", "session_id", `updated_at = ${ago("3 years")}`],
    [
      "members",
      async () => (await network.join()).id,
      "public.network_members",
      "id",
      `unsubscribed_at = ${ago("8 days")}`,
    ],
  ])("counts undeletable %s, deletes all others, and retries in the next run", async (kind, create, ...row) => {
    const [table, column, due] = row;
    const [kept, gone] = [await create(), await create()];
    for (const id of [kept, gone]) await setRows(backend, table, id, due, column);
    const left = () => Promise.all([kept, gone].map((id) => countRows(backend, table, id, column)));
    await backend.exec(`insert into private.keeps_${kind} values ('${kept}')`);
    expect(await keepRetention(backend)).toMatchObject({ [kind]: 1, [`${kind}_refused`]: 1 });
    expect(await left()).toEqual([1, 0]);
    await backend.exec(`delete from private.keeps_${kind}`);
    expect(await keepRetention(backend)).toMatchObject({ [kind]: 1 });
    expect(await left()).toEqual([0, 0]);
  });

  const readLastRun = async () => (await admin.call("read_inbox")).retention?.ran_at;
  it("does not report an incomplete run to admins as the last one", async () => {
    await keepRetention(backend);
    const before = await readLastRun();
    expect(before).toBeDefined();
    const held = await createMessage();
    await setRows(backend, "public.contact_submissions", held, `created_at = ${ago("3 years")}`);
    await backend.exec(`insert into private.keeps_submissions values ('${held}')`);
    expect(await keepRetention(backend)).toMatchObject({ submissions_refused: 1 });
    expect(await readLastRun()).toBe(before);
  });
});
