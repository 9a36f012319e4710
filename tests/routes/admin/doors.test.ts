import { beforeAll, expect, it } from "vitest";
import { routes } from "../../../app/routes";
import { startSite } from "../../support/site";
import { type Visitor, leadsTo } from "../../support/visitor";
import { setUpSecondFactor } from "../support/authenticator";
import { confirmFor, openWorld } from "./support/world";

const challenge = "/login/second-factor";

/** Routes that accept no post. */
const readOnly = ["admin/answer-times", "admin/insights/:slug", "admin/mail", "admin/network/letters", "admin/numbers"];
/** Routes that only a post downloads. A GET of the package leads to the page of its request, without a look at it. */
const files = ["admin/submissions.csv", "admin/network.csv", "admin/requests/:requestId/package"];

const ofAdmins = Object.keys(routes).filter((route) => /^admin(?:\/|$)/.test(route));
const unknownId = "00000000-0000-4000-8000-000000000000";
const addressOf = (route: string) => `/${route.replaceAll(/:\w+/g, unknownId)}`;
const pages = ofAdmins.filter((route) => !files.includes(route)).map(addressOf);
/** Address of each route of the admin area, and if it accepts posts. */
const doors = ofAdmins.map((route) => [addressOf(route), !readOnly.includes(route)] as const);

const world = openWorld(startSite);
/** Has signed in with the password, and not with the code. */
let waiting: Visitor;

beforeAll(async () => {
  await setUpSecondFactor(world.admin);
  waiting = await world.signIn();
});

it.each(doors)("%s leads strangers to sign-in, and after the password to the code", async (address, acceptsPosts) => {
  const isPackage = address.endsWith("/package");
  for (const [visitor, door] of [
    [world.visitor(), "/login"],
    [waiting, challenge],
  ] as const) {
    const opened = await visitor.get(address);
    expect([opened.status, leadsTo(opened)]).toEqual([303, isPackage ? address.replace("/package", "") : door]);
    expect(opened.headers.get("cache-control")).toContain("no-store");
    const posted = await visitor.post(address, {});
    expect([posted.status, leadsTo(posted)]).toEqual(acceptsPosts ? [303, door] : [405, null]);
  }
});

it.each(pages)("%s shows its data to no stranger, and stays in no cache", async (address) => {
  const { headers, html } = await world.visitor().get(`${address}.data`);
  expect(headers.get("cache-control")).toContain("no-store");
  expect(html).toContain('"/login');
  expect(html).not.toMatch(/"found"|submissions/);
});

it.each(doors)("%s refuses a post from a foreign page", async (address, acceptsPosts) => {
  const { status } = await world.admin.post(address, {}, { Origin: "https://evil.example" });
  expect(status).toBe(acceptsPosts ? 403 : 405);
});

it.each(pages.filter((address) => !address.includes(unknownId)))(
  "%s is kept in no cache, and only the inbox ships a script",
  async (address) => {
    const { status, headers, html } = await world.admin.get(address);
    expect([status, headers.get("cache-control")]).toEqual([200, "no-store, no-transform"]);
    expect(html.includes("<script")).toBe(address === "/admin");
  },
);

it.each(pages.filter((address) => address.includes(unknownId)))("%s does not exist", async (address) => {
  expect((await world.admin.get(address)).status).toBe(404);
  expect((await world.admin.get(address.replace(unknownId, "nonsense"))).status).toBe(404);
});

it("asks for the code only after the password", async () => {
  const visitor = world.visitor();
  expect(leadsTo(await visitor.get(challenge))).toBe("/login");
  expect(leadsTo(await visitor.post(challenge, { intent: "code", code: "123456" }))).toBe("/login");
});

const request = addressOf("admin/requests/:requestId");
it.each<[string, Record<string, string>, string]>([
  ["/admin/submissions.csv?filter=all", { separator: "comma" }, "/admin?filter=all"],
  ["/admin/network.csv?filter=admitted", { separator: "comma" }, "/admin/network?filter=admitted"],
  [`${request}/package`, { format: "json" }, request],
  [request, { intent: "erase" }, request],
])("%s asks for the password and the code again after %o", async (address, fields, back) => {
  world.ageSignIn();
  expect(leadsTo(await world.admin.post(address, fields))).toBe(confirmFor(back));
});
