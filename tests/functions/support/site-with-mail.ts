import { type MailServer, startMailServer } from "./mail-server.ts";
import { type Site, startSite } from "./site.ts";

/** Starts a site and a mail server for it; closing the site closes both. */
export async function startSiteWithMail(): Promise<{ site: Site; mailServer: MailServer }> {
  const [site, mailServer] = await Promise.all([startSite(), startMailServer()]);
  site.settings.SMTP_URL = mailServer.url;
  const close = async () => {
    await site.close();
    await mailServer.close();
  };
  return { site: { ...site, close }, mailServer };
}
