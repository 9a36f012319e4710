import { randomUUID } from "node:crypto";
import { beforeEach, expect, it } from "vitest";
import { type Admin, useAdmin } from "../support/admin.ts";
import { eachBackend } from "../support/backends.ts";
import {
  addMembers,
  claimLetters,
  clearNetwork,
  exampleFooter,
  exampleLetter,
  findLetter,
  queueLetters,
  saveLetter,
  type SavedLetter,
  sendLetter,
  tryLetter,
} from "../support/letters.ts";
import { listMails } from "../support/mail.ts";
import { useNetwork } from "../support/network.ts";
import { ago, keepRetention } from "../support/retention.ts";

/** Sends a letter as an admin. Returns the number of members, or the SQLSTATE of the refusal. */
const send = (admin: Admin, { letter_id, version }: SavedLetter, expected: number, footer: unknown = exampleFooter) =>
  admin.call("send_letter", { letter_id, expected, footer, seen_version: version });

/** Mails a letter to the admin. Returns null, or the SQLSTATE of the refusal. */
const tryAs = async (admin: Admin, letter: SavedLetter, footer?: unknown) =>
  (await tryLetter(admin.client, letter, footer)).error?.code ?? null;

eachBackend("letters to the network", (backend) => {
  const network = useNetwork(backend);
  const ada = useAdmin(backend);
  const bea = useAdmin(backend);

  beforeEach(() => clearNetwork(backend));

  const readLog = () =>
    backend.sql("select people_count from public.admin_events where action = 'letter-sent' order by id");

  it("keeps drafts, and refuses to replace a colleague's", async () => {
    const { version, ...fields } = await saveLetter(ada.client, { subject: "", body: "", to_states: [] });
    const { letter_id } = fields;
    expect(version).toBe(1);
    expect(await findLetter(ada.client, letter_id)).toMatchObject({ state: "draft", waiting: 0, version });
    const save = (admin: Admin, subject: string, seen_version: number | null) =>
      admin.call("save_letter", { ...fields, subject, seen_version });
    expect(await save(bea, "Hers", 1)).toBe(2);
    expect([await save(ada, "His", 1), await save(ada, "His", null)]).toEqual(["PT409", "PT409"]);
    // A form posted twice.
    expect(await save(bea, "Hers", 1)).toBe(2);
    expect(await ada.call("delete_letter", { letter_id })).toBeNull();
    expect(await save(bea, "Hers", 2)).toBe("P0002");
    expect(await findLetter(ada.client, letter_id)).toBeNull();
  });

  it.each([
    ["a subject with a line break", { subject: "Hello\r\nBcc: all@firm.example" }],
    ["a subject of 201 characters", { subject: "x".repeat(201) }],
    ["a text of 20,001 characters", { body: "x".repeat(20_001) }],
    ["another state", { to_states: ["asked"] }],
    ["a state twice", { to_states: ["confirmed", "confirmed"] }],
    ["states in two dimensions", { to_states: [["confirmed"], ["admitted"]] }],
  ])("refuses %s", async (_, changes) => {
    const letter = { letter_id: randomUUID(), ...exampleLetter, ...changes, seen_version: 0 };
    expect(await ada.call("save_letter", letter)).toBe("23514");
  });

  const countMembers = async (to_states: string[], choice = {}) =>
    (await ada.call("count_letter_recipients", { to_states, ...choice })).count;
  it("chooses by state, kind and field, and leaves out a member who stopped mail", async () => {
    await addMembers(backend, "angel", 1, "angel");
    await addMembers(backend, "fund", 2, "fund");
    await backend.exec(`update public.network_members set unsubscribed_at = now() where email like 'fund-1@%';
      update public.network_members set state = 'admitted', decided_at = now(), fields = '{devices}'
      where email like 'angel-%'`);
    const both = exampleLetter.to_states;
    expect(await Promise.all([countMembers(both), countMembers(["confirmed"]), countMembers([])])).toEqual([2, 1, 0]);
    expect(await countMembers(both, { to_kind: "fund" })).toBe(1);
    expect(await countMembers(both, { to_field: "devices" })).toBe(1);
    expect(await countMembers(both, { to_kind: "fund", to_field: "devices" })).toBe(0);
  });

  it("names ten of those whom it goes to, the newest first", async () => {
    await addMembers(backend, "named", 12);
    await network.join({ submission: { name: "Newest" } });
    const { count, names } = await ada.call("count_letter_recipients", { to_states: exampleLetter.to_states });
    expect([count, names.length, names[0]]).toEqual([13, 10, "Newest"]);
  });

  it("goes out only with the text that this admin tried, to the number of members that they saw, which is logged", async () => {
    await addMembers(backend, "expected", 3);
    const letter = await saveLetter(ada.client);
    expect(await send(ada, letter, 3)).toBe("55006");
    expect(await tryAs(ada, letter)).toBeNull();
    const trials = await backend.sql("select kind, sender_name from private.email_outbox");
    expect(trials).toEqual([{ kind: "letter-trial", sender_name: exampleFooter.firm }]);
    expect(await send(bea, letter, 3)).toBe("55006");
    const isTried = async ({ client }: Admin) => (await findLetter(client, letter.letter_id)).is_tried;
    expect([await isTried(ada), await isTried(bea)]).toEqual([true, false]);
    expect(await send(ada, { ...letter, version: 0 }, 3)).toBe("PT409");
    const changed = { ...letter, body: "Another text", version: 2 };
    const { version: _, ...fields } = changed;
    expect(await ada.call("save_letter", { ...fields, seen_version: 1 })).toBe(2);
    expect(await tryAs(ada, letter)).toBe("PT409");
    expect(await send(ada, changed, 3)).toBe("55006");
    expect(await tryAs(ada, changed)).toBeNull();
    // A member joins after the number was shown.
    await addMembers(backend, "later", 1);
    expect(await send(ada, changed, 3)).toBe("22003");
    expect(await send(ada, changed, 4)).toBe(4);
    expect(await findLetter(bea.client, letter.letter_id)).toMatchObject({ state: "sending", to_count: 4, waiting: 4 });
    expect((await readLog()).at(-1)).toEqual({ people_count: 4 });
    expect(await ada.call("save_letter", { ...fields, body: "Too late", seen_version: 2 })).toBe("55000");
    expect(await ada.call("delete_letter", { letter_id: letter.letter_id })).toBe("55000");
    expect(await tryAs(ada, changed)).toBe("55000");
  });

  it("needs a footer that names the firm, its postal address and the site", async () => {
    await addMembers(backend, "footer", 1);
    const letter = await saveLetter(ada.client);
    const { address: _, ...nowhere } = exampleFooter;
    const addresses = ["", " ", "[Postal address]", "x".repeat(301), null];
    for (const footer of [
      null,
      {},
      [],
      nowhere,
      ...addresses.map((address) => ({ ...nowhere, address })),
      { ...exampleFooter, firm: "" },
      { ...exampleFooter, extra: "x" },
    ])
      expect([footer, await tryAs(ada, letter, footer), await send(ada, letter, 1, footer)]).toEqual([
        footer,
        "22023",
        "22023",
      ]);
    expect(await tryAs(ada, letter)).toBeNull();
    // The firm moved since.
    const moved = { ...exampleFooter, address: "2 Main Street, Salem, Oregon" };
    expect(await ada.call("find_letter", { letter_id: letter.letter_id, footer: moved })).toMatchObject({
      is_tried: false,
    });
    expect(await send(ada, letter, 1, moved)).toBe("55006");
    expect(await send(ada, letter, 1)).toBe(1);
    expect(await claimLetters(backend)).toMatchObject([{ footer: exampleFooter }]);
  });

  it("goes out once when an admin sends in two tabs at once, and two workers deliver", async () => {
    await addMembers(backend, "twice", 5);
    const letter = await saveLetter(ada.client);
    await tryAs(ada, letter);
    const results = await Promise.all([send(ada, letter, 5), send(ada, letter, 5)]);
    expect(results.toSorted()).toEqual([5, "55000"]);
    const due = await claimLetters(backend);
    expect(due).toHaveLength(5);
    await queueLetters(backend, [...due, ...due]);
    expect(await listMails(backend, "kind = 'letter'")).toHaveLength(5);
    expect(await claimLetters(backend)).toEqual([]);
  });

  const keepAfter = async (times: string) => {
    await backend.exec(`update public.network_letters set ${times}`);
    return (await keepRetention(backend)).letters;
  };
  it("stays for 30 days and as long as a membership that got it, and its log line after that", async () => {
    const { token } = await network.join();
    const { id } = await sendLetter(ada.client);
    expect(await keepAfter(`sent_at = ${ago("31 days")}`)).toBe(0);
    await network.leave(token);
    expect(await keepAfter("sent_at = now()")).toBe(0);
    // The admin who stops a letter has its page for a while, too.
    expect(await keepAfter(`sent_at = ${ago("31 days")}, stopped_at = now()`)).toBe(0);
    expect(await keepAfter(`stopped_at = ${ago("31 days")}`)).toBe(1);
    expect(await findLetter(ada.client, id)).toBeNull();
    expect((await readLog()).length).toBeGreaterThan(0);
  });
});
