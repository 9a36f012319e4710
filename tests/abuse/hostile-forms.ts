import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { routes } from "../../app/routes";
import { startMailServer } from "../functions/support/mail-server";
import { setUpSecondFactor } from "../routes/support/authenticator";
import { filledDataRightsForm } from "../support/data-rights";
import { withDatabaseOf } from "../support/find-text";
import { findFreePort } from "../support/free-port";
import { insertMembers } from "../support/network";
import { filledJoinForm, joinAddress } from "../support/network-links";
import { type Product, startProduct } from "../support/product";
import { makeSiteFolder } from "../support/site-folder";
import { Visitor, filledContactForm, leadsTo } from "../support/visitor";

/** A form, and its fields that take text. */
export interface HostileForm {
  path: string;
  visitor: Visitor;
  /** the other fields of a completed form */
  fields: Record<string, string>;
  /** text fields, with the number of characters that come back; 0 for a field that promises none */
  texts: Record<string, number>;
}

/** One letter of each hostile text; the largest body repeats it. */
export const hostileUnits = {
  "combining marks of two classes": "\u0345\u0334",
  joiners: "\u200d",
  ligatures: "\ufdfa",
  emoji: "🌻",
  "one letter": "a",
  digits: "7",
  dots: ".",
  "at signs": "@",
  brackets: "[<(",
  quotes: "\"'`",
  spaces: " ",
  "line breaks": "\n",
};

/** Bytes left of the largest body for names, other fields and the boundaries of a multipart form. */
const bodyBytes = 256 * 1024 - 8 * 1024;

/** Repeats a text up to the largest body. A browser sends a line break as two bytes. */
export function fillBody(unit: string): string {
  return unit.repeat(bodyBytes / (unit === "\n" ? 2 : Buffer.byteLength(unit)));
}

/** A site with a record for each page that has a form. */
export interface FormSite {
  product: Product;
  /** address of the metrics */
  metrics: string;
  forms: Record<string, HostileForm[]>;
  stop(): Promise<void>;
}

/**
 * Starts the product and lists its forms by route. Every route that takes a post must be in the list.
 * @throws when a route with an action is missing
 */
export async function startFormSite(): Promise<FormSite> {
  const mailServer = await startMailServer();
  const dataDir = await makeSiteFolder();
  const members = await withDatabaseOf(dataDir, (sql) => insertMembers(sql, [{ name: "Noted Nell" }]));
  const metricsPort = await findFreePort();
  const settings = {
    SMTP_URL: mailServer.url,
    MAIL_FROM: "website@firm.example",
    CONTACT_TO: "hello@firm.example",
    METRICS_PORT: String(metricsPort),
  };
  const product = await startProduct(settings, { dataDir, timeouts: "production" });
  const admin = new Visitor(product.url);
  await admin.signIn();
  const factor = new Visitor(product.url);

  const [message, letter, mail, request] = [
    await receiveMessage(product, admin),
    `/admin/network/letters/${randomUUID()}`,
    await failInvitation(admin, (address) => mailServer.refuse(address, 550, "5.1.1 No such user")),
    leadsTo(await admin.post("/admin/requests/new", enteredRequest())) ?? "",
  ];
  const draft = { intent: "save", subject: "News", body: "News for {name}.", toStates: "admitted" };
  await admin.post("/admin/network/letters/new", { ...draft, letter: letter.slice(-36) });
  const member = `/admin/network/${members.get("Noted Nell")}`;
  await setUpSecondFactor(admin);
  await factor.signIn();

  const token = "A".repeat(43);
  const passwords = { password: 0, repeated: 0 };
  const { name, company, message: words } = filledContactForm;
  const ofVisitors: Record<string, Omit<HostileForm, "visitor">[]> = {
    contact: [
      {
        path: "/contact",
        fields: filledContactForm,
        texts: { name: 100, email: 255, company: 200, stage: 0, goal: 0, message: 5_000, topic: 0 },
      },
      { path: joinAddress, fields: filledJoinForm, texts: { place: 100, message: 5_000, kind: 0 } },
    ],
    consent: [{ path: "/consent", fields: { choice: "reject", source: "banner" }, texts: { page: 0, text: 0 } }],
    "data-rights": [
      {
        path: "/data-rights",
        fields: filledDataRightsForm,
        texts: { name: 100, email: 255, requestType: 0, description: 5_000 },
      },
    ],
    "data-rights/confirm": [{ path: "/data-rights/confirm", fields: {}, texts: { token: 0 } }],
    "data-rights/status": [{ path: "/data-rights/status", fields: { intent: "package" }, texts: { token: 0 } }],
    "data-rights/package/file": [{ path: "/data-rights/package/file", fields: { token }, texts: { format: 0 } }],
    network: [
      { path: "/network", fields: {}, texts: { email: 255 } },
      {
        path: `/network?token=${token}`,
        fields: { token, intent: "change", name, company },
        texts: { name: 0, company: 0, place: 0, seen: 0 },
      },
    ],
    "network/mail": [{ path: `/network/mail?token=${token}`, fields: { intent: "stop" }, texts: { token: 0 } }],
    "network/stop": [{ path: `/network/stop?token=${token}`, fields: {}, texts: { "List-Unsubscribe": 0 } }],
    logout: [{ path: "/logout", fields: {}, texts: { nothing: 0 } }],
    answered: [{ path: "/answered", fields: {}, texts: { token: 0 } }],
    login: [{ path: "/login", fields: { password: "wrong" }, texts: { email: 255, password: 0 } }],
    "login/forgotten": [{ path: "/login/forgotten", fields: {}, texts: { email: 255 } }],
    "login/password": [{ path: `/login/password?token=${token}`, fields: { token }, texts: passwords }],
  };
  const ofAdmins: Record<string, Omit<HostileForm, "visitor">[]> = {
    admin: [{ path: "/admin", fields: { intent: "search" }, texts: { search: 200 } }],
    "admin/account": [
      { path: "/admin/account", fields: { intent: "save-name" }, texts: { name: 100, signature: 500 } },
      { path: "/admin/account", fields: {}, texts: { currentPassword: 0, newPassword: 0, repeatedPassword: 0 } },
    ],
    "admin/account/second-factor": [
      {
        path: "/admin/account/second-factor",
        fields: { intent: "finish", factorId: randomUUID(), uri: "otpauth://totp/x?secret=AAAA" },
        texts: { code: 0 },
      },
    ],
    "admin/confirm": [{ path: "/admin/confirm", fields: { code: "000000" }, texts: { password: 0, code: 0 } }],
    "admin/mail/:mailId": [{ path: mail, fields: { intent: "correct" }, texts: { email: 255 } }],
    "admin/messages/:submissionId": [
      { path: message, fields: { intent: "send", reply: randomUUID() }, texts: { text: 10_000 } },
      { path: message, fields: { intent: "saveDraft", reply: randomUUID() }, texts: { text: 10_000 } },
      { path: message, fields: { intent: "insert", reply: randomUUID(), snippet: token }, texts: { text: 10_000 } },
    ],
    "admin/network.csv": [{ path: "/admin/network.csv", fields: {}, texts: { separator: 0 } }],
    "admin/network/letters/:letterId": [{ path: letter, fields: draft, texts: { subject: 200, body: 20_000 } }],
    "admin/network/letters/:letterId/check": [
      { path: `${letter}/check`, fields: { intent: "send", seen: "1" }, texts: { number: 0 } },
    ],
    "admin/network/:memberId": [{ path: member, fields: { intent: "noted", seen: "0" }, texts: { text: 2_000 } }],
    "admin/people": [{ path: "/admin/people", fields: { intent: "invite" }, texts: { email: 255 } }],
    "admin/snippets": [
      { path: "/admin/snippets", fields: { intent: "save", name, body: words }, texts: { name: 80, body: 5_000 } },
    ],
    "admin/submissions.csv": [{ path: "/admin/submissions.csv", fields: {}, texts: { separator: 0 } }],
    "admin/requests": [{ path: "/admin/requests", fields: {}, texts: { search: 200 } }],
    "admin/requests/new": [
      { path: "/admin/requests/new", fields: enteredRequest(), texts: { name: 100, email: 255, description: 5_000 } },
    ],
    "admin/requests/:requestId": [
      { path: request, fields: { intent: "note", seen: "0" }, texts: { text: 2_000 } },
      {
        path: request,
        fields: { intent: "correct", submission: message.slice(-36), field: "goal" },
        texts: { text: 200 },
      },
    ],
    "admin/requests/:requestId/package": [{ path: `${request}/package`, fields: {}, texts: { format: 0 } }],
  };
  const forms: Record<string, HostileForm[]> = {
    ...withVisitor(ofVisitors, new Visitor(product.url)),
    "login/second-factor": [
      { path: "/login/second-factor", visitor: factor, fields: { intent: "code" }, texts: { code: 0 } },
      { path: "/login/second-factor", visitor: factor, fields: { intent: "recovery" }, texts: { code: 0 } },
    ],
    ...withVisitor(ofAdmins, admin),
  };
  const missing = Object.entries(routes).filter(([route, module]) => !(route in forms) && takesPosts(module));
  if (missing.length > 0) throw new Error(`Add the forms of ${missing.map(([route]) => route).join(", ")}.`);
  const stop = async () => {
    await product.stop();
    await mailServer.close();
  };
  return { product, metrics: `http://127.0.0.1:${metricsPort}/metrics`, forms, stop };
}

const enteredRequest = () => ({
  name: "By Letter",
  email: `${randomUUID()}@long.example`,
  requestType: "access",
  description: "What do you hold?",
  channel: "letter",
  receivedOn: new Date().toISOString().slice(0, 10),
  isIdentified: "on",
});

/** @returns path of the message's page */
async function receiveMessage(product: Product, admin: Visitor): Promise<string> {
  await new Visitor(product.url).post("/contact", filledContactForm);
  return findPath(/\/admin\/messages\/[0-9a-f-]{36}/, (await admin.get("/admin")).html);
}

/** Invites somebody whose mailbox refuses the mail. @returns path of the page that corrects the address */
async function failInvitation(admin: Visitor, refuse: (address: string) => void): Promise<string> {
  const email = `${randomUUID()}@gone.example`;
  refuse(email);
  const { html } = await admin.get("/admin/people");
  const seen = /name="seen" value="(\d+)"/.exec(html)?.[1] ?? "";
  await admin.post("/admin/people", { intent: "invite", email, seen });
  const deadline = Date.now() + 30_000;
  for (;;) {
    const page = (await admin.get("/admin/people")).html;
    if (page.includes("/admin/mail/")) return findPath(/\/admin\/mail\/[0-9a-f-]{36}/, page);
    if (Date.now() > deadline) throw new Error("The mail was not refused.");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function findPath(pattern: RegExp, html: string): string {
  const [path] = pattern.exec(html) ?? [];
  if (path === undefined) throw new Error(`The page lacks ${pattern}.`);
  return path;
}

function withVisitor(forms: Record<string, Omit<HostileForm, "visitor">[]>, visitor: Visitor) {
  return Object.fromEntries(
    Object.entries(forms).map(([route, list]) => [route, list.map((form) => ({ ...form, visitor }))]),
  );
}

function takesPosts(module: string): boolean {
  return /^export (?:async function|const) action\b/m.test(readFileSync(`app/routes/${module}`, "utf8"));
}
