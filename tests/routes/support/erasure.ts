import { expect } from "vitest";
import { filledDataRightsForm } from "../../support/data-rights";
import type { RunningSite } from "../../support/product";
import { Visitor, filledContactForm } from "../../support/visitor";

/** Sends a contact message as this person. */
export async function sendMessageAs(site: RunningSite, email: string): Promise<void> {
  expect((await new Visitor(site.url).post("/contact", { ...filledContactForm, email })).status).toBe(303);
}

/** Opens a data rights request for erasure as this person. */
export async function requestErasureAs(site: RunningSite, email: string): Promise<void> {
  const request = { ...filledDataRightsForm, email, requestType: "erasure" };
  expect((await new Visitor(site.url).post("/data-rights", request)).status).toBe(303);
}

/** Confirms a data rights request as its data subject. @param link path and query of the link in the email */
export async function confirmRequest(site: RunningSite, link: string): Promise<void> {
  const token = new URL(link, site.url).searchParams.get("token") ?? "";
  expect((await new Visitor(site.url).post("/data-rights/confirm", { token })).status).toBe(303);
}

/** Erases the data subject of the only open request, as an admin without scripts. @returns the page with the form */
export async function erasePerson(site: RunningSite, fields: Record<string, string> = {}): Promise<string> {
  const admin = new Visitor(site.url);
  await admin.signIn();
  const { html } = await admin.get("/admin/requests");
  const [, path = ""] = /href="(\/admin\/requests\/[0-9a-f-]{36})"/.exec(html) ?? [];
  const page = await admin.get(path);
  expect((await admin.post(path, { intent: "erase", confirmed: "yes", ...fields })).status).toBe(303);
  return page.html;
}
