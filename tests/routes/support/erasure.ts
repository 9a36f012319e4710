import { expect } from "vitest";
import { filledDataRightsForm } from "../../support/data-rights";
import type { RunningSite } from "../../support/product";
import { Visitor, filledContactForm } from "../../support/visitor";

/** A message of this person. */
export async function sendMessageAs(site: RunningSite, email: string): Promise<void> {
  expect((await new Visitor(site.url).post("/contact", { ...filledContactForm, email })).status).toBe(303);
}

/** A request for erasure of this person. */
export async function requestErasureAs(site: RunningSite, email: string): Promise<void> {
  const request = { ...filledDataRightsForm, email, requestType: "erasure" };
  expect((await new Visitor(site.url).post("/data-rights", request)).status).toBe(303);
}

/** Confirms the request as its person does. @param link path and query of the link in the mail */
export async function confirmRequest(site: RunningSite, link: string): Promise<void> {
  const token = new URL(link, site.url).searchParams.get("token") ?? "";
  expect((await new Visitor(site.url).post("/data-rights/confirm", { token })).status).toBe(303);
}

/** Erases the person of the one request that there is, as an admin without scripts. @returns the page with the form */
export async function erasePerson(site: RunningSite, fields: Record<string, string> = {}): Promise<string> {
  const admin = new Visitor(site.url);
  await admin.signIn();
  const { html } = await admin.get("/admin/requests");
  const [, path = ""] = /href="(\/admin\/requests\/[0-9a-f-]{36})"/.exec(html) ?? [];
  const page = await admin.get(path);
  expect((await admin.post(path, { intent: "erase", ...fields })).status).toBe(303);
  return page.html;
}
