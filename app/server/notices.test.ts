import { expect, it } from "vitest";
import { createNotices } from "./notices.server";

const key = Buffer.alloc(32, 1);
let now = Date.UTC(2026, 10, 26);
const notices = createNotices({ derive: () => key }, () => now);
const read = (address: string) => notices.find(address)?.key ?? null;

it.each(["/contact", "/contact?about=investors", "/admin/messages/1?x=%2B#reply", "/"])(
  "comes with %s, and leaves the rest of the address as it was",
  (address) => {
    const withNotice = notices.addTo(address, "contactSent");
    expect(withNotice.replace(/[?&]notice=contactSent\.[\w.-]+/, "")).toBe(address);
    expect(notices.find(withNotice)).toMatchObject({
      key: "contactSent",
      message: { title: "Message Sent!" },
      isFresh: true,
    });
    expect(read(`https://firm.example${withNotice}`)).toBe("contactSent");
  },
);

it("is shown by no other page, under no other key or time, and with no other signature", () => {
  const address = notices.addTo("/admin/requests", "requestChanged");
  const [, token = ""] = address.split("notice=");
  const [name, time, mark = ""] = token.split(".");
  expect(read(address)).toBe("requestChanged");
  for (const forged of [
    `/admin?notice=${token}`,
    `/admin/requests?notice=subjectErased.${time}.${mark}`,
    `/admin/requests?notice=${name}.zzzzzz.${mark}`,
    `/admin/requests?notice=${name}.${time}.${mark.replace(/^./, (first) => (first === "A" ? "B" : "A"))}`,
    `/admin/requests?notice=${name}`,
    "/admin/requests?notice=loginRequired",
    "/admin/requests?notice=__proto__.a.aaaaaaaaaaaaaaaa",
    "/admin/requests?notice=",
  ])
    expect(read(forged), forged).toBeNull();
  const elsewhere = createNotices({ derive: () => Buffer.alloc(32, 2) }, () => now);
  expect(elsewhere.find(address)).toBeNull();
});

it("passes: for visitors after an hour, for admins after a minute, so that no reload repeats it for good", () => {
  const [visitor, admin] = [notices.addTo("/contact", "contactSent"), notices.addTo("/admin", "submissionMarked")];
  const begin = now;
  const seen = (seconds: number) => {
    now = begin + seconds * 1000;
    return [read(visitor), read(admin), notices.find(visitor)?.isFresh ?? null];
  };
  expect(seen(10)).toEqual(["contactSent", "submissionMarked", true]);
  expect(seen(50)).toEqual(["contactSent", "submissionMarked", false]);
  expect(seen(70)).toEqual(["contactSent", null, false]);
  expect(seen(3_700)).toEqual([null, null, null]);
  expect(seen(-20)).toEqual(["contactSent", "submissionMarked", true]);
  expect(seen(-60)).toEqual([null, null, null]);
});

it("is the same address for everyone where it is true at any time", () => {
  expect(notices.addTo("/login", "loginRequired")).toBe("/login?notice=loginRequired");
  expect(read("/login?notice=loginRequired")).toBe("loginRequired");
  expect(read("/login?utm=x&notice=cookieNotKept")).toBe("cookieNotKept");
  expect(read("/about?notice=loginRequired")).toBeNull();
  expect(read("/login?notice=loggedOut")).toBeNull();
});
