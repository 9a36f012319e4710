import { readAccountLink } from "./account-links";
import { filledDataRightsForm, readRequestLinks } from "./data-rights";
import { filledJoinForm, joinAddress, readNetworkLink, tokenOf } from "./network-links";
import { publicPaths, unlistedPaths } from "./page-source";
import type { RunningSite } from "./product";
import { Visitor, filledContactForm } from "./visitor";

/**
 * Reads every page of the product as a signed-in admin: public pages, pages behind links, the inbox with content, and
 * forms with errors.
 * @returns markup by the page's path and state
 */
export async function readEveryPage({ url, dataDir }: RunningSite): Promise<Map<string, string>> {
  const pages = new Map<string, string>();
  const visitor = new Visitor(url);
  await visitor.signIn();
  await visitor.post("/contact", filledContactForm);
  await visitor.post("/contact?about=investors", {
    ...filledContactForm,
    email: "investor@fund.example",
    joinNetwork: "on",
  });
  await visitor.post("/data-rights", filledDataRightsForm);
  const { confirm, status } = await readRequestLinks(dataDir, filledDataRightsForm.email);
  await visitor.post("/admin/people", { intent: "invite", email: "invited@firm.example" });
  const invitation = await readAccountLink(dataDir, "invited@firm.example");
  const requests = (await visitor.get("/admin/requests")).html;
  const request = /\/admin\/requests\/[0-9a-f-]{36}/.exec(requests)?.[0] ?? "";
  const message = /\/admin\/messages\/[0-9a-f-]{36}/.exec((await visitor.get("/admin")).html)?.[0] ?? "";
  const network = (await visitor.get("/admin/network?filter=asked")).html;
  const member = /\/admin\/network\/[0-9a-f-]{36}/.exec(network)?.[0] ?? "";
  const draft = {
    letter: crypto.randomUUID(),
    subject: "Fall news",
    body: "Dear {name}, hello.",
    toStates: "admitted",
  };
  const letter = `/admin/network/letters/${draft.letter}`;
  await visitor.post("/admin/network/letters/new", { ...draft, intent: "save" });
  await visitor.post("/admin/snippets", { intent: "save", name: "Thanks", body: "Dear {name}, thank you." });
  const reply = crypto.randomUUID();
  await visitor.post(message, { intent: "send", reply, text: "We can." });
  await visitor.post(message, { intent: "saveDraft", reply: crypto.randomUUID(), text: "And a second" });
  const paths = [...publicPaths, ...unlistedPaths, "/no-such-page", "/about?cookie-preferences=open"];
  for (const path of [
    ...paths,
    confirm,
    status,
    `${status}&withdraw=ask`,
    message,
    "/admin/requests",
    request,
    "/admin/answer-times",
    "/admin/mail",
    "/admin/snippets",
    "/admin/network",
    "/admin/network?filter=asked&kind=angel",
    "/admin/network/letters",
    "/admin/network/letters/new",
    letter,
    `${letter}/check`,
    member,
    "/admin/numbers",
    "/admin/people",
    invitation,
    "/admin/account",
    "/admin/account/second-factor",
    "/admin/confirm",
    "/admin/requests/new",
  ]) {
    pages.set(path, (await visitor.get(path)).html);
  }
  const post = async (state: string, path: string, fields: Record<string, string>) =>
    void pages.set(`${path} ${state}`, (await visitor.post(path, fields)).html);
  pages.set(joinAddress, (await visitor.get(joinAddress)).html);
  const wrong = { kind: "king", fields: "x", place: "x".repeat(101) };
  await post("with mistakes", joinAddress, { ...filledJoinForm, ...wrong });
  await addNetworkPages(pages, visitor, dataDir);
  for (const path of ["/contact", "/data-rights", "/login", "/login/forgotten", "/network", invitation])
    await post("with mistakes", path, {});
  await post("with mistakes", message, { intent: "send", reply, text: "" });
  const late = { intent: "send", reply: crypto.randomUUID(), text: "A third", seen: "0" };
  await post("answered meanwhile", message, late);
  await post("with words", `/admin/messages/${reply}`, { intent: "send", reply, text: "Kept" });
  await post("with mistakes", "/admin/snippets", { intent: "save" });
  await post("with a question", member, { intent: "remove" });
  await post("with mistakes", member, { intent: "noted", text: "" });
  await post("with mistakes", "/admin/network/letters/new", { letter: crypto.randomUUID(), intent: "check" });
  await post("changed meanwhile", letter, { ...draft, body: "Older", seen: "0", intent: "save" });
  await post("with a question", letter, { intent: "delete" });
  await post("with mistakes", "/admin/people", { intent: "invite", email: "" });
  await post("with mistakes", "/admin/account", { intent: "change-password" });
  return pages;
}

/** Adds the page of a member in each of its states. */
async function addNetworkPages(pages: Map<string, string>, visitor: Visitor, dataDir: string): Promise<void> {
  const email = "mary@network.example";
  const read = async (state: string, path: string) => pages.set(`${path} ${state}`, (await visitor.get(path)).html);
  const ask = (name: string) => visitor.post(joinAddress, { ...filledJoinForm, email, name });
  pages.set("/contact after asking to join", (await visitor.follow(await ask("Mary Jackson"))).html);
  let link = await readNetworkLink(dataDir, email);
  const act = (intent: string, fields: Record<string, string> = {}) =>
    visitor.post(link, { token: tokenOf(link), intent, ...fields });
  await read("to join", link);
  await act("confirm");
  await read("of a member", link);
  await ask("Mary W. Jackson");
  // A newer link ends the earlier one.
  await read("ended", link);
  link = await readNetworkLink(dataDir, email, [link]);
  await read("with a later wish", link);
  pages.set(`${link} with mistakes`, (await act("change", { fields: "x" })).html);
  pages.set("/network after leaving", (await visitor.follow(await act("leave"))).html);
  await read("gone", link);
}
