import { expect, it } from "vitest";
import type { MessageKey } from "~/content/messages";
import { createNotices } from "./notices.server";

const key = Buffer.alloc(32, 1);
let now = Date.UTC(2026, 10, 26);
const settings = { siteUrl: "https://firm.example", siteUrlIsExplicit: true };
const notices = createNotices({ derive: () => key }, settings, () => now);
const read = (address: string) => notices.find(address)?.key ?? null;

it.each(["/contact", "/contact?about=investors", "/admin/messages/1?x=%2B#reply", "/"])(
  "adds a notice to %s and keeps the rest of the address",
  (address) => {
    const withNotice = notices.addTo(address, "contactSent");
    expect(withNotice.replace(/[?&]notice=contactSent\.[\w.-]+/, "")).toBe(address);
    expect(notices.find(withNotice)).toMatchObject({ key: "contactSent", message: { title: "Message Sent!" } });
    expect(read(`https://firm.example${withNotice}`)).toBe("contactSent");
  },
);

it("rejects a notice with another page, query, key, time or signature", () => {
  const address = notices.addTo("/admin/requests", "requestChanged");
  const own = notices.addTo("/network?token=own", "networkJoined");
  expect(read(own)).toBe("networkJoined");
  for (const other of [own.replace("=own", "=other"), own.replace("token=own&", ""), `${own}&token=other`])
    expect(read(other), other).toBeNull();
  const [, token = ""] = address.split("notice=");
  const [name, time, signature = ""] = token.split(".");
  expect(read(address)).toBe("requestChanged");
  // 132 bits.
  expect(signature).toHaveLength(22);
  for (const forged of [
    `/admin?notice=${token}`,
    `/admin/requests?notice=subjectErased.${time}.${signature}`,
    `/admin/requests?notice=${name}.zzzzzz.${signature}`,
    `/admin/requests?notice=${name}.${time}.${signature.replace(/^./, (first) => (first === "A" ? "B" : "A"))}`,
    `/admin/requests?notice=${name}`,
    "/admin/requests?notice=loginRequired",
    "/admin/requests?notice=__proto__.a.aaaaaaaaaaaaaaaa",
    "/admin/requests?notice=",
  ])
    expect(read(forged), forged).toBeNull();
  const otherSite = createNotices({ derive: () => Buffer.alloc(32, 2) }, settings, () => now);
  expect(otherSite.find(address)).toBeNull();
});

it("expires after an hour for visitors and after a minute for admins", () => {
  const [visitor, admin] = [notices.addTo("/contact", "contactSent"), notices.addTo("/admin", "submissionMarked")];
  const begin = now;
  for (const [seconds, ...expected] of [
    [20, "contactSent", "submissionMarked", true],
    [21, "contactSent", "submissionMarked", false],
    [60, "contactSent", "submissionMarked", false],
    [61, "contactSent", null, false],
    [3_600, "contactSent", null, false],
    [3_601, null, null, null],
    [-30, "contactSent", "submissionMarked", true],
    [-31, null, null, null],
  ] as const) {
    now = begin + seconds * 1000;
    expect([read(visitor), read(admin), notices.find(visitor)?.isFresh ?? null], `${seconds}`).toEqual(expected);
  }
});

/** Finds the notice of an address that a browser opens with these headers. */
const find = (path: string, notice: MessageKey, fetchSite: string | null, referer: string | null = null) => {
  const headers = new Headers(fetchSite === null ? {} : { "Sec-Fetch-Site": fetchSite });
  if (referer !== null) headers.set("Referer", referer);
  return notices.findFor({ url: `${settings.siteUrl}${notices.addTo(path, notice)}`, headers })?.key ?? null;
};

it("counts only for browsers that come from one of our own pages", () => {
  expect(find("/contact", "contactSent", "same-origin")).toBe("contactSent");
  expect(find("/contact", "contactSent", null, "https://firm.example/contact")).toBe("contactSent");
  for (const fetchSite of ["none", "cross-site", "same-site", null]) {
    expect(find("/contact", "contactSent", fetchSite)).toBe("formReceived");
    expect(find("/network", "networkLeft", fetchSite)).toBeNull();
    expect(find("/login", "loginRequired", fetchSite)).toBe("loginRequired");
    // An admin's address bar leads to it, too.
    expect(find("/", "notAdmin", fetchSite)).toBe("notAdmin");
  }
});

it("uses a constant address for messages that are always true", () => {
  expect(notices.addTo("/login", "loginRequired")).toBe("/login?notice=loginRequired");
  expect(read("/login?notice=loginRequired")).toBe("loginRequired");
  expect(read("/login?utm=x&notice=loginRequired")).toBe("loginRequired");
  expect(read("/login?notice=cookieNotKept")).toBeNull();
  expect(read("/about?notice=loginRequired")).toBeNull();
  expect(read("/login?notice=loggedOut")).toBeNull();
});
