import { expect, it } from "vitest";
import { greetingName } from "./mail-server-address.ts";

it.each([
  ["https://firm.example:8443/site", "firm.example"],
  ["https://kanzlei-müller.example", "xn--kanzlei-mller-4ob.example"],
  ["http://192.0.2.7", "[192.0.2.7]"],
  ["http://[2001:db8::1]:80", "[IPv6:2001:db8::1]"],
  ["firm.example", undefined],
  [undefined, undefined],
])("greets mail servers from %s as %s", (siteUrl, name) => {
  expect(greetingName(siteUrl)).toBe(name);
});
