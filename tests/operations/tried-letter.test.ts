import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addMembers, saveLetter } from "../database/support/letters";
import { type TestBackend, signInAdmin } from "../database/support/test-backend";
import { type MailServer, startMailServer } from "../functions/support/mail-server";
import { startSite } from "../functions/support/site";
import { diagnose, lineOf, supplyFacts } from "./support/doctor";
import { startProject } from "./support/project";

const siteUrl = "https://firm.example";
const siteKey = "k".repeat(43);

/** A backend with its functions, which know the firm from its database alone, and their mail server. */
interface Engine {
  backend: TestBackend;
  mailServer: MailServer;
  /** Stores the site's facts, as an operator does for a project, or an embedded site at its start. */
  storeFacts(): Promise<void>;
  deliver(): Promise<unknown>;
  close(): Promise<void>;
}

const engines: Record<string, () => Promise<Engine>> = {
  "hosted project": async () => {
    const mailServer = await startMailServer();
    const mail = { SMTP_URL: mailServer.url, MAIL_FROM: "web@firm.example", CONTACT_TO: "desk@firm.example" };
    const project = await startProject(siteKey, mail);
    const { backend } = project.hosted;
    const apikey = backend.rest.secretKey;
    return {
      backend,
      mailServer,
      storeFacts: async () => {
        const settings = {
          SITE_FACTS: await supplyFacts(),
          SITE_URL: siteUrl,
          SUPABASE_URL: project.url,
          SUPABASE_PUBLISHABLE_KEY: backend.rest.publishableKey,
          SESSION_SECRET: "s".repeat(32),
          SITE_KEY: siteKey,
          DATABASE_URL: project.databaseUrl,
        };
        lineOf(await diagnose(settings, { args: ["--write-facts"] }), "ok", "stored facts");
      },
      deliver: () => fetch(`${project.url}/functions/v1/deliver-outbox`, { method: "POST", headers: { apikey } }),
      close: async () => {
        await project.close();
        await mailServer.close();
      },
    };
  },
  "embedded backend": async () => {
    const [mailServer, site] = await Promise.all([startMailServer(), startSite()]);
    Object.assign(site.settings, { SMTP_URL: mailServer.url, MAIL_FROM: "web@firm.example", SITE_URL: undefined });
    return {
      backend: site,
      mailServer,
      storeFacts: async () => {
        await supplyFacts();
        const { listSiteFacts } = await import("~/server/config/site-facts.server");
        const { parseSettings } = await import("~/server/config/settings.server");
        const facts = listSiteFacts(parseSettings({ SITE_URL: siteUrl }));
        await site.service.rpc("set_site_facts", { facts }).throwOnError();
      },
      deliver: () => site.deliver(),
      close: async () => {
        await site.close();
        await mailServer.close();
      },
    };
  },
};

describe.each(Object.entries(engines))("a letter on the %s", (_name, start) => {
  let engine: Engine;

  beforeAll(async () => {
    engine = await start();
    await engine.backend.sql(
      "insert into private.digests (day) values ('infinity') on conflict do nothing returning day",
    );
    await engine.storeFacts();
  });
  afterAll(() => engine?.close());

  it("goes out as it was tried, though the firm's facts changed after Send", async () => {
    const { backend, mailServer, deliver } = engine;
    // Loaded after the facts.
    const { composeFooter, postLetter } = await import("~/features/admin/network/letters/send-letter.server");
    const { findLetter } = await import("~/features/admin/network/letters/letters.server");
    const supabase = backend.client((await signInAdmin(backend)).token);
    const client = { supabase, log: { info: () => {}, warn: () => {}, error: () => {} }, unreadable: [] };
    await addMembers(backend, "same", 1);
    const { letter_id } = await saveLetter(supabase, { subject: "For {name}: \u05e9\u05dc\u05d5\u05dd" });
    const find = async (url = siteUrl) => {
      const found = await findLetter(client, letter_id, composeFooter(url));
      if (!found.ok || !found.data) throw new Error("The letter is gone.");
      return found.data;
    };
    const post = async (fields: { intent: "try" } | { intent: "send"; number: string }) => {
      const found = await find();
      return postLetter(client, found, { ...fields, seen: String(found.version) }, siteUrl);
    };
    expect(await post({ intent: "try" })).toEqual({ done: "letterTried" });
    const tried = await Promise.all([siteUrl, "https://moved.example"].map(find));
    expect(tried.map(({ is_tried }) => is_tried)).toEqual([true, false]);
    expect(await post({ intent: "send", number: "1" })).toEqual({ done: "letterSent" });
    const changed = { SITE_URL: siteUrl, FIRM_NAME: "Another & Co", TIME_ZONE: "Pacific/Apia" };
    await backend.service.rpc("set_site_facts", { facts: changed }).throwOnError();
    await expect.poll(async () => (await deliver(), mailServer.received.length)).toBe(2);
    const [trial, letter] = mailServer.received
      .map(({ content, recipients: [to = ""] }) => ({
        isTrial: !to.endsWith("@fund.example"),
        from: content.from,
        subject: content.subject,
        text: content.text?.replace(/token=[\w-]+/, "token="),
      }))
      .toSorted((one, two) => Number(two.isTrial) - Number(one.isTrial));
    expect(letter).toEqual({ ...trial, isTrial: false });
    expect(letter?.from).toEqual({ name: "Firm One", address: "web@firm.example" });
    expect(letter?.text).toContain("Firm One\nStreet One\n\nYou get this email because");
  });

  it("is refused at Send without the firm's postal address", async () => {
    const { backend } = engine;
    const admin = backend.client((await signInAdmin(backend)).token);
    const { letter_id } = await saveLetter(admin);
    const footer = { firm: "Firm One", address: "", site: "firm.example" };
    const call = { letter_id, expected: 1, footer, seen_version: 1 };
    expect((await admin.rpc("send_letter", call)).error?.code).toBe("22023");
  });
});
