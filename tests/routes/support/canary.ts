import { cookies } from "~/content/cookie-registry";
import { sitePages } from "~/content/site-pages";
import { filledDataRightsForm } from "../../support/data-rights";
import type { RunningSite } from "../../support/product";
import { Visitor, filledContactForm } from "../../support/visitor";
import { choose, consentForm } from "./consent";

/** A marker in everything that a visitor sends. If the product prints it, personal data leaks. */
export const canary = "kanarienvogel";

/** Sends the marker to every page, form, field, query, cookie, header and path that accepts input. */
export async function sendCanaryEverywhere({ url }: RunningSite): Promise<void> {
  const headers = {
    "User-Agent": `Mozilla ${canary}`,
    Referer: `http://localhost/${canary}`,
    "Accept-Language": canary,
    "X-Forwarded-For": `${canary}, 203.0.113.77`,
    "X-Forwarded-Host": `${canary}.example`,
    "X-Request-Id": canary,
    Authorization: `Bearer ${canary}`,
    [`X-${canary}`]: canary,
  };
  const visitor = new Visitor(url);
  for (const name of [...Object.values(cookies).map((cookie) => cookie.name), canary]) visitor.setCookie(name, canary);
  const links = ["/data-rights/confirm", "/data-rights/status", "/data-rights/package", "/answered", "/login/password"];
  const ofMembers = ["/network", "/network/mail", "/network/stop"];
  const own = ["/login", "/admin", "/logout", "/consent", ...links, ...ofMembers, "/robots.txt"];
  const paths = [...sitePages.map(({ path }) => path), ...own];
  for (const path of paths) {
    await visitor.get(
      `${path}?token=${canary}&q=${canary}&cookie-preferences=${canary}&notice=${canary}&${canary}`,
      headers,
    );
    await visitor.get(`${path === "/" ? "/_root" : path}.data?token=${canary}&_routes=${canary}`, headers);
  }
  for (const path of [
    `/admin/requests/${canary}`,
    `/assets/${canary}.js`,
    `/share/${canary}.png`,
    `/Admin/${canary}/`,
  ]) {
    await visitor.get(`${path}?${canary}`, headers);
  }
  // A mail program may escape the characters between the path of a secret link and its token.
  for (const escaped of ["%3F", "%253f", "%3B", "%26", ";", "&"]) {
    await visitor.get(`/data-rights/status${escaped}token=${canary}`, headers);
    await visitor.get(`/data-rights${escaped}token=${canary}`, headers);
  }
  for (const path of [`/${canary}`, `/about/${canary}`, `/unsubscribe/${canary}@mail.example`]) {
    await visitor.get(path, headers);
  }

  const text = `${canary} <b>${canary}</b>\n${canary}`;
  const email = `${canary}@mail.example`;
  const contact = { ...filledContactForm, name: canary, email, company: canary, goal: canary, message: text };
  const dataRights = { ...filledDataRightsForm, name: canary, email, description: text };
  const forms: [string, Record<string, string>][] = [
    ["/contact", contact],
    ["/contact", { ...contact, topic: canary }],
    ["/contact", { ...contact, email: canary, stage: canary, privacyConsent: canary, [canary]: canary }],
    ["/data-rights", dataRights],
    ["/data-rights", { ...dataRights, topic: canary }],
    ["/data-rights", { ...dataRights, requestType: canary, email: canary }],
    ["/data-rights/confirm", { token: canary }],
    ["/data-rights/status", { token: canary }],
    [`/network?token=${canary}`, { token: canary, intent: "leave" }],
    [`/network/stop?token=${canary}`, { "List-Unsubscribe": "One-Click" }],
    ["/login", { email, password: canary }],
    ["/login", { email: canary, password: "" }],
    ["/consent", consentForm(canary, { version: canary, page: `/${canary}` })],
    ["/logout", { [canary]: canary }],
    [`/${canary}@mail.example`, { [canary]: canary }],
  ];
  for (const [path, fields] of forms) {
    await visitor.post(`${path}?${canary}=${canary}`, fields, headers);
    await visitor.post(path, fields, { ...headers, Origin: `https://${canary}.example` });
  }
  for (const choice of ["accept", "reject"] as const) await choose(visitor, choice);
  for (const type of ["application/json", "multipart/form-data; boundary=x", canary]) {
    const body = JSON.stringify({ [canary]: canary });
    await fetch(`${url}/contact?${canary}`, { method: "POST", body, headers: { "Content-Type": type, Origin: url } });
  }
}
