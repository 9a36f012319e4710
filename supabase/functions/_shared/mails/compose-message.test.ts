import { describe, expect, it } from "vitest";
import { runWithHost } from "../host/runtime.ts";
import type { ClaimedMail } from "../outbox/outbox.ts";
import { composeMessage } from "./compose-message.ts";

const claimed: ClaimedMail = {
  id: "0d1f6f0e-5a3e-4f0b-9d5e-1d2c3b4a5f60",
  kind: "firm",
  recipient: null,
  reply_to: null,
  subject: "Subject",
  body: "Body",
  sender_name: null,
  thread: [],
  attempts: 1,
  created_at: "2026-11-20T01:30:00Z",
  link: null,
};

const usual = {
  SITE_URL: "https://firm.example",
  MAIL_FROM: "Firm <web@firm.example>",
  CONTACT_TO: "hello@firm.example",
};

function compose(changes: Partial<ClaimedMail>, settings: Record<string, string> = usual) {
  const setting = (name: string) => settings[name];
  return runWithHost({ setting }, () => composeMessage({ ...claimed, ...changes }, { mayInventAddresses: true }));
}

const automatic = { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "OOF, AutoReply" };

describe("headers", () => {
  it.each<[ClaimedMail["kind"], Record<string, string>]>([
    ["firm", automatic],
    ["digest", automatic],
    ["acknowledgement", { ...automatic, "Auto-Submitted": "auto-replied" }],
    ["reply", {}],
    ["letter-trial", { "X-Auto-Response-Suppress": "OOF, AutoReply" }],
  ])("keep automatic replies from a mail of the kind %s", (kind, headers) => {
    expect((compose({ kind }) as { headers: object }).headers).toEqual(headers);
  });

  it("let a member stop letters with one click, by the link between text and closing", () => {
    const token = "t".repeat(64);
    const quoted = `https://firm.example/network/mail?token=${"Q".repeat(64)}`;
    const link = { to: "letter", token, closing: "Closing" } as const;
    expect(compose({ kind: "letter", body: `See ${quoted}`, link })).toMatchObject({
      text: `See ${quoted}\n\nhttps://firm.example/network/mail?token=${token}\n\nClosing`,
      headers: {
        "List-Id": "<network.firm.example>",
        "List-Unsubscribe": `<https://firm.example/network/stop?token=${token}>`,
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
      },
    });
    const other = compose({ kind: "network", link: { ...link, to: "page" } });
    expect(other).toMatchObject({ text: `Body\n\nhttps://firm.example/network?token=${token}\n\nClosing` });
    expect(other).not.toHaveProperty("headers.List-Id");
  });

  it("keep the id of a mail across attempts, and name the earlier mails of a conversation", () => {
    const thread = ["one", "two"];
    expect(compose({ kind: "reply", thread })).toMatchObject({
      messageId: `<${claimed.id}@firm.example>`,
      headers: { "In-Reply-To": "<two@firm.example>", References: "<one@firm.example> <two@firm.example>" },
    });
  });
});

it.each([
  ["Ada Hale", "Firm <web@firm.example>", "Ada Hale, Firm"],
  ['Ada "Ace" <x@y.example>, Dr.', "Firm <web@firm.example>", 'Ada "Ace" <x@y.example>, Dr., Firm'],
  [null, "Firm <web@firm.example>", "Firm"],
  [null, "web@firm.example", "Hale & Co"],
])("names as the sender of a reply, for the admin %j and from %s, %s", (sender_name, MAIL_FROM, name) => {
  const mail = compose({ kind: "reply", sender_name }, { ...usual, MAIL_FROM, FIRM_NAME: "Hale & Co" });
  expect(mail).toMatchObject({ from: { name, address: "web@firm.example" } });
});

const one = (address: string, name = "") => ({ name, address });
const ada = one("ada@example.com");
const list = "Desk, West <a@firm.example>; b@firm.example\nx";
const desks = [one("a@firm.example", "Desk, West"), one("b@firm.example")];

describe("addresses", () => {
  it.each<[string, string, Partial<ClaimedMail>, object]>([
    ["the firm's list for a mail to the firm", list, {}, { to: desks, replyTo: undefined }],
    ["the firm as the one to answer", "a@b.org", { recipient: ada.address }, { to: [ada], replyTo: one("a@b.org") }],
    ["the visitor as the one to answer", list, { reply_to: ada.address }, { replyTo: { address: ada.address } }],
  ])("are %s", (_case, CONTACT_TO, changes, expected) => {
    expect(compose(changes, { ...usual, CONTACT_TO })).toMatchObject(expected);
  });

  it.each([
    ["MAIL_FROM", "firm", "mail-from-is-no-address"],
    ["CONTACT_TO", "desk; office", "contact-to-is-no-address"],
  ])("name the mistake in %s=%s", (name, value, mistake) => {
    expect(compose({}, { ...usual, [name]: value })).toBe(mistake);
  });

  it("are invented at the site's host for a file alone", () => {
    const { SITE_URL } = usual;
    expect(compose({}, { SITE_URL })).toMatchObject({ to: [{ address: "contact@firm.example" }] });
    const setting = (name: string) => (name === "SITE_URL" ? SITE_URL : undefined);
    const options = { mayInventAddresses: false };
    expect(runWithHost({ setting }, () => composeMessage(claimed, options))).toBe("no-address-set");
  });
});
