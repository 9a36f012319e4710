import { randomUUID } from "node:crypto";
import { afterAll, beforeAll } from "vitest";
import { filledDataRightsForm, readMailsTo, readRequestLinks } from "../../../support/data-rights";
import { filledJoinForm, joinAddress, readNetworkLink, tokenOf } from "../../../support/network-links";
import { type RunningSite, testAdmin } from "../../../support/product";
import { Visitor, filledContactForm, leadsTo, readText } from "../../../support/visitor";
import { ageSignIn, readSession, sessionCookie } from "../../support/authenticator";
import { findMessageId } from "./pages";

/** A site, in this process or its own, that the file stops after its tests. */
type Site = RunningSite & { stop(): Promise<unknown> };

/** A stored message, its sender and the path of its page. */
interface Received {
  id: string;
  name: string;
  email: string;
  address: string;
}

/** Starts a site before the tests of a file or a `describe`, signs an admin in, and stops the site after the tests. */
export function openWorld(start: () => Promise<Site>): World {
  const world = new World();
  beforeAll(async () => {
    world.site = await start();
    world.admin = await world.signIn();
  });
  afterAll(() => world.stop());
  return world;
}

/** A site, its admin, and people who write to it. */
class World {
  site!: Site;
  admin!: Visitor;

  private isStopped = false;

  /** Stops the site, unless a test has done so. */
  async stop(): Promise<void> {
    if (!this.isStopped) await this.site?.stop();
    this.isStopped = true;
  }

  visitor(): Visitor {
    return new Visitor(this.site.url);
  }

  /** Signs in, as the test admin by default. @param headers a client's address or browser */
  async signIn(credentials = testAdmin, headers: Record<string, string> = {}): Promise<Visitor> {
    const visitor = this.visitor();
    await visitor.post("/login", credentials, headers);
    return visitor;
  }

  /** Moves the admin's sign-in so far back that a change of an account or an export needs the password again. */
  ageSignIn(only?: "password"): void {
    ageSignIn(this.admin, this.site.dataDir, 16, only);
  }

  /** Copies the session's cookie to another browser; an expired one is refreshed there, as a thief could. */
  copyOf(admin: Visitor, isExpired = false): Visitor {
    const copy = this.visitor();
    const session = readSession(admin.cookie("admin-session"));
    copy.setCookie("admin-session", sessionCookie(isExpired ? { ...session, expires_at: 1 } : session));
    return copy;
  }

  /** Opens a page as the admin. @returns its source */
  async open(path: string): Promise<string> {
    return (await this.admin.get(path)).html;
  }

  /** Opens a page as the admin. @returns its words */
  async read(path: string): Promise<string> {
    return readText(await this.open(path));
  }

  /** Sends a contact message from a new address, or with the given fields. */
  async write(fields: Partial<typeof filledContactForm> = {}): Promise<{ name: string; email: string }> {
    const email = fields.email ?? `${randomUUID()}@a.example`;
    const name = fields.name ?? `Writer ${email.slice(0, 8)}`;
    requireAccepted(await this.visitor().post("/contact", { ...filledContactForm, ...fields, name, email }));
    return { name, email };
  }

  /** Sends a contact message, and finds it in the inbox. */
  async receive(fields: Partial<typeof filledContactForm> = {}): Promise<Received> {
    const { name, email } = await this.write(fields);
    const id = findMessageId(await this.open(`/admin?filter=${fields.topic ? "quarantined" : "waiting"}`), name);
    return { id, name, email, address: `/admin/messages/${id}` };
  }

  /** Sends a data rights request and confirms it. @returns path of its page */
  async openRequest(requestType: string, email: string): Promise<string> {
    const visitor = this.visitor();
    requireAccepted(await visitor.post("/data-rights", { ...filledDataRightsForm, requestType, email }));
    const { confirm, reference } = await readRequestLinks(this.site.dataDir, email);
    requireAccepted(await visitor.post("/data-rights/confirm", { token: tokenOf(confirm) }));
    const link = new RegExp(`href="(/admin/requests/[0-9a-f-]{36})"[^>]*>(?:(?!</a>).)*${reference}<`);
    return link.exec(await this.open("/admin/requests?filter=open"))?.[1] ?? "";
  }

  /** Enters a request that came by letter today. @returns path of its page */
  async enterRequest(fields: Record<string, string>): Promise<string> {
    const entered = await this.admin.post("/admin/requests/new", { ...requestByLetter(), ...fields });
    requireAccepted(entered);
    return leadsTo(entered) ?? "";
  }

  /** Joins the investor network and confirms that. @returns path of the member's page */
  async join(name: string, email: string, fields: Partial<typeof filledJoinForm> = {}): Promise<string> {
    const visitor = this.visitor();
    await visitor.post(joinAddress, { ...filledJoinForm, ...fields, name, email });
    const link = await readNetworkLink(this.site.dataDir, email);
    requireAccepted(await visitor.post(link, { token: tokenOf(link), intent: "confirm", shown: "" }));
    const rows = /href="(\/admin\/network\/[\da-f-]{36})[^>]* class="member-row">.*?<bdi>(.*?)<\/bdi>/g;
    return [...(await this.open("/admin/network")).matchAll(rows)].find(([, , shown]) => shown === name)?.[1] ?? "";
  }

  /** Reads the emails that an address got so far, from a site without a mail server. */
  mailsTo(address: string): Promise<{ subject: string; text: string }[]> {
    return readMailsTo(this.site.dataDir, address);
  }

  /** Reads the replies that an address got so far. */
  async repliesTo(address: string): Promise<{ subject: string; text: string }[]> {
    return (await this.mailsTo(address)).filter(({ subject }) => subject.startsWith("Re: "));
  }
}

/** Address of the page that asks for the password again and leads back to this page. */
export const confirmFor = (page: string) => `/admin/confirm?next=${encodeURIComponent(page)}`;

function requireAccepted({ status }: { status: number }): void {
  if (status !== 303) throw new Error(`expected a 303 redirect, got ${status}`);
}

/** The completed form of a request by letter from an identified person. Give each test its own email address. */
export const requestByLetter = () => ({
  name: "Rosalind Franklin",
  requestType: "access",
  description: "By letter: what do you hold about me?",
  channel: "letter",
  receivedOn: new Date().toISOString().slice(0, 10),
  isIdentified: "on",
});
