import type { SupabaseClient } from "@supabase/supabase-js";
import type { Email } from "postal-mime";
import { afterAll, afterEach, beforeAll, beforeEach, vi } from "vitest";
import { signInAdmin } from "../../database/support/test-backend.ts";
import { type MailServer, startMailServer } from "./mail-server.ts";
import { type Site, newMessage, startSite } from "./site.ts";

/** Address of the firm's mails. */
export const firm = "hello@firm.example";

/** A mail as its receiver sees it. */
interface TakenMail {
  subject: string;
  text: string;
  replyTo: string | undefined;
  content: Email;
}

/** One site with its mail server for a file of tests. */
interface World extends Site {
  mailServer: MailServer;
  /** client of an admin */
  admin: SupabaseClient;
  /** Waits for the work after the responses, then returns the mails to an address and forgets them. */
  takeMails(address: string): Promise<TakenMail[]>;
  /** Takes the mails to an address that carry a link to the investor network. */
  takeLinks(address: string): Promise<(TakenMail & { token: string })[]>;
  /** Delivers due mail twice, which shows duplicates, and takes the mails to an address. */
  takeDueMails(address: string): Promise<TakenMail[]>;
  /** Takes the due mails to the firm. */
  takeFirmMails(): Promise<TakenMail[]>;
  /** Receives a message and tries its mails once. @returns its id */
  receive(changes?: Record<string, unknown>): Promise<string>;
  /** Calls a function signed, and reads the status and the body of its response. */
  ask(name: string, body?: unknown, headers?: Record<string, string>): Promise<[status: number, body: unknown]>;
  /** Makes calls of the backend fail, until the test ends, whose address contains this text. */
  breakBackend(text: string): void;
}

/** Tables that each test finds empty, beside those of messages. */
const emptied = ["email_outbox", "rate_limits", "troubles", "day_counts"].map((table) => `private.${table}`);

/**
 * Registers hooks that start the world for a file. Each test finds the settings and the clock of the start, a mail server
 * that takes everything, and no mails, messages, counts, trouble or log events of earlier tests.
 */
export function useWorld(): World {
  const world = {} as World;
  let settings: World["settings"];
  let host: World["host"];

  beforeAll(async () => {
    const [site, mailServer] = await Promise.all([startSite(), startMailServer()]);
    const admin = site.client((await signInAdmin(site)).token);
    site.settings.SMTP_URL = mailServer.url;
    Object.assign(world, site, { mailServer, admin, takeMails, takeLinks, takeDueMails, breakBackend, ask, receive });
    world.takeFirmMails = () => takeDueMails(firm);
    settings = { ...site.settings };
    host = { ...site.host };
  });
  beforeEach(async () => {
    await world.finishBackgroundWork();
    for (const name of Object.keys(world.settings)) delete world.settings[name];
    Object.assign(world.settings, settings);
    Object.assign(world.host, { keepMailFile: undefined, newestBackupAt: undefined, stopping: undefined, ...host });
    for (const table of ["public.contact_submissions", ...emptied]) await world.sql(`delete from ${table}`);
    world.mailServer.reset();
    world.events.length = 0;
  });
  afterEach(() => void vi.useRealTimers());
  afterAll(async () => {
    await world.close?.();
    await world.mailServer?.close();
  });

  async function takeMails(address: string): Promise<TakenMail[]> {
    await world.finishBackgroundWork();
    const { received } = world.mailServer;
    const taken = received.filter(({ recipients }) => recipients.includes(address));
    received.splice(0, received.length, ...received.filter((mail) => !taken.includes(mail)));
    return taken.map(({ content }) => ({
      subject: content.subject ?? "",
      text: content.text ?? "",
      replyTo: content.replyTo?.[0]?.address,
      content,
    }));
  }

  async function takeLinks(address: string) {
    return (await takeMails(address)).flatMap((mail) => {
      const token = /^https:\/\/firm\.example\/network\?token=([\w-]{64})$/m.exec(mail.text)?.[1];
      return token === undefined ? [] : [{ ...mail, token }];
    });
  }

  async function takeDueMails(address: string): Promise<TakenMail[]> {
    await world.finishBackgroundWork();
    await world.deliver();
    await world.deliver();
    return takeMails(address);
  }

  async function ask(...[name, body, headers]: Parameters<World["ask"]>): ReturnType<World["ask"]> {
    const response = await world.call(name, body, { headers: headers ?? {} });
    return [response.status, await response.json()];
  }

  async function receive(changes: Record<string, unknown> = {}): Promise<string> {
    const message = newMessage(changes);
    const { status } = await world.call("send-contact-email", message);
    if (status !== 200) throw new Error(`send-contact-email returned ${status}`);
    await world.finishBackgroundWork();
    const found = "select id from public.contact_submissions where message = $1";
    return (await world.sql<{ id: string }>(found, [message.message]))[0]!.id;
  }

  function breakBackend(text: string): void {
    const reach = host.fetch!;
    world.host.fetch = (input, init) =>
      new Request(input, init).url.includes(text) ? Promise.reject(new TypeError("fetch failed")) : reach(input, init);
  }

  return world;
}
