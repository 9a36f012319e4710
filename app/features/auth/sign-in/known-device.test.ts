import { afterEach, expect, it, vi } from "vitest";
import { parseSettings } from "~/server/config/settings.server";
import { createCookies } from "~/server/cookies/cookies.server";
import type { SiteContext } from "~/server/site-context.server";
import { findKnownDevice, setKnownDevice } from "./known-device.server";

const email = "admin@firm.example";

/** The parts of a site that the cookie needs. */
function siteWith(secret: string): SiteContext {
  const site = {
    cookies: createCookies(parseSettings({})),
    secrets: { session: () => secret },
    feature: (create: (site: SiteContext) => unknown) => create(site),
  } as unknown as SiteContext;
  return site;
}

const site = siteWith("ours");
const visit = (setCookie: string) =>
  new Request("http://firm.example/", { headers: { Cookie: setCookie.split(";")[0]! } });

afterEach(() => void vi.useRealTimers());

it("knows a device for a year, even if its cookie is kept longer", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const request = visit(await setKnownDevice(site, visit(""), email));
  expect(await findKnownDevice(site, request, email)).toMatch(/^[\da-f-]{36}$/);
  expect(await findKnownDevice(site, request, "other@firm.example")).toBeNull();
  vi.setSystemTime(Date.now() + 366 * 86_400_000);
  expect(await findKnownDevice(site, request, email)).toBeNull();
});

it("knows a device for its last five accounts", async () => {
  const emails = [1, 2, 3, 4, 5, 6].map((number) => `admin${number}@firm.example`);
  let request = visit("");
  for (const each of [...emails, emails[5]!]) request = visit(await setKnownDevice(site, request, each));
  const ids = await Promise.all(emails.map((each) => findKnownDevice(site, request, each)));
  expect(ids).toEqual([null, ...Array.from({ length: 5 }, () => expect.stringMatching(/^[\da-f-]{36}$/))]);
});

it("refuses a cookie that another secret signed, or nothing", async () => {
  const request = visit(await setKnownDevice(siteWith("theirs"), visit(""), email));
  expect(await findKnownDevice(site, request, email)).toBeNull();
  const [name, value] = (await setKnownDevice(site, visit(""), email)).split(";")[0]!.split("=") as [string, string];
  expect(await findKnownDevice(site, visit(`${name}=${value.split(".")[0]}`), email)).toBeNull();
});
