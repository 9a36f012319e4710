import { expect, it } from "vitest";
import { isPrivateAddress, networkKey, rateLimitKey, readHop, resolveClientAddress } from "./client-address";

it.each([
  ["10.0.0.1", null, 1, "10.0.0.1"],
  ["10.0.0.1", "1.2.3.4", 3, "1.2.3.4"],
  ["::FFFF:c000:201", null, 0, "192.0.2.1"],
  ["fe80::1%eth0", null, 0, "fe80::1"],
  ["10.0.0.1", "2001:DB8:0:0::9", 1, "2001:db8::9"],
  ["10.0.0.1", "6.6.6.6, 1.2.3.4:5001", 1, "1.2.3.4"],
  ["10.0.0.1", "1.2.3.4:5001, 10.0.0.9:80", 2, "1.2.3.4"],
  ["10.0.0.1", "6.6.6.6, unknown", 1, "10.0.0.1"],
  ["10.0.0.1:80", "1.2.3.4:5001", 0, "10.0.0.1:80"],
])("resolves peer %s, header %s and %d trusted proxies to %s", (peer, header, proxies, expected) => {
  expect(resolveClientAddress(peer, header, proxies)).toBe(expected);
});

it.each([
  ["[2001:db8::1]:443", "2001:db8::1"],
  ["fe80::1%eth0", "fe80::1"],
  ["[fe80::1%25eth0]:443", "fe80::1"],
  ['"203.0.113.7"', "203.0.113.7"],
  ["for=203.0.113.7;proto=https;by=10.0.0.1", "203.0.113.7"],
  ['For="[2001:db8::1]:443";proto=https', "2001:db8::1"],
  ["", null],
  ["0x7f000001", null],
  ["[2001:db8::1", null],
  ["1".repeat(5_000), null],
])("reads the entry %j as %j", (entry, address) => {
  expect(readHop(entry)).toBe(address);
});

it.each([
  ["127.0.0.1", true],
  ["10.1.2.3", true],
  ["100.64.0.1", true],
  ["::1", true],
  ["fd00::1", true],
  ["fe80::1%eth0", true],
  ["::ffff:10.0.0.1", true],
  ["203.0.113.7", false],
  ["2001:db8::1", false],
  ["unknown", false],
])("detects whether %s is private: %s", (address, expected) => {
  expect(isPrivateAddress(address)).toBe(expected);
});

it("treats an IPv4 address and an IPv6 /64 as one client", () => {
  expect(rateLimitKey("192.0.2.1")).toBe("192.0.2.1");
  const keys = ["2001:db8:1:2::1", "2001:DB8:1:2:ffff::9", "2001:0db8:0001:0002:3:4:5:6"].map(rateLimitKey);
  expect(new Set(keys).size).toBe(1);
  expect(rateLimitKey("2001:db8:1:3::1")).not.toBe(keys[0]);
  expect(rateLimitKey("2001:db8::1")).toBe(rateLimitKey("2001:db8:0:0:1::1"));
  expect(rateLimitKey("::1")).toBe("::/64");
});

it("treats an IPv6 /48 as one network and returns null for IPv4", () => {
  expect(networkKey("192.0.2.1")).toBeNull();
  const keys = ["2001:db8:1:2::1", "2001:DB8:0001:ffff:ffff::9", "2001:db8:1::"].map(networkKey);
  expect(new Set(keys)).toEqual(new Set(["2001:db8:1::/48"]));
  expect(networkKey("2001:db8:2:2::1")).not.toBe(keys[0]);
  expect(networkKey("::1")).toBe("::/48");
  expect(networkKey("a:".repeat(5_000))).toBeNull();
});

it("limits the length of keys for forged addresses", () => {
  expect(rateLimitKey("x".repeat(5_000)).length).toBeLessThanOrEqual(64);
  expect(rateLimitKey("a:".repeat(5_000)).length).toBeLessThanOrEqual(64);
});
