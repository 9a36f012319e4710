import { filledDataRightsForm, readRequestLinks } from "./data-rights";
import { publicPaths, unlistedPaths } from "./page-source";
import type { RunningSite } from "./product";
import { Visitor, filledContactForm } from "./visitor";

/**
 * Every page that the product has, as a signed-in admin gets it: the public ones, those behind links, the inbox with
 * something in it, and forms with mistakes.
 * @returns markup by the page's path and state
 */
export async function readEveryPage({ url, dataDir }: RunningSite): Promise<Map<string, string>> {
  const pages = new Map<string, string>();
  const visitor = new Visitor(url);
  await visitor.signIn();
  await visitor.post("/contact", filledContactForm);
  await visitor.post("/data-rights", filledDataRightsForm);
  const { confirm, status } = await readRequestLinks(dataDir, filledDataRightsForm.email);
  const requests = (await visitor.get("/admin/requests")).html;
  const request = /\/admin\/requests\/[0-9a-f-]{36}/.exec(requests)?.[0] ?? "";
  const paths = [...publicPaths, ...unlistedPaths, "/no-such-page", "/about?cookie-preferences=open"];
  for (const path of [...paths, confirm, status, `${status}&withdraw=ask`, "/admin/requests", request]) {
    pages.set(path, (await visitor.get(path)).html);
  }
  for (const path of ["/contact", "/data-rights", "/login"]) {
    pages.set(`${path} with mistakes`, (await visitor.post(path, {})).html);
  }
  return pages;
}
