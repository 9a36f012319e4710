import { expect, it } from "vitest";
import { isFromOwnPage, isSameOrigin } from "./same-origin";

/** Creates headers without those that are null. */
const toHeaders = (values: Record<string, string | null>) =>
  new Headers(
    Object.entries(values).flatMap(([name, value]): [string, string][] => (value === null ? [] : [[name, value]])),
  );

it.each([
  ["https://firm.example", null, "proxy-internal:8080", "https://firm.example", true],
  ["http://firm.example", null, "firm.example", "https://firm.example", false],
  ["https://firm.example.evil.example", null, "firm.example", "https://firm.example", false],
  ["null", "same-origin", "firm.example", "https://firm.example", true],
  ["null", "same-site", "firm.example", "https://firm.example", false],
  ["null", null, "firm.example", "https://firm.example", false],
  ["null", "same-origin, cross-site", "firm.example", "https://firm.example", false],
  ["null, null", "same-origin", "firm.example", "https://firm.example", false],
  ["http://localhost:3000", null, "localhost:3000", null, true],
  ["http://127.0.0.1:3000", null, "localhost:3000", null, false],
  [null, "same-origin", "firm.example", "https://firm.example", true],
  [null, "none", "firm.example", "https://firm.example", true],
  [null, "cross-site", "firm.example", "https://firm.example", false],
  [null, null, "firm.example", "https://firm.example", true],
])("checks Origin %s, Sec-Fetch-Site %s, Host %s on %s: %s", (origin, fetchSite, host, site, expected) => {
  expect(isSameOrigin(toHeaders({ origin, "sec-fetch-site": fetchSite, host }), site)).toBe(expected);
});

it.each([
  ["same-origin", null, "https://firm.example", true],
  ["none", null, "https://firm.example", false],
  ["cross-site", "https://firm.example/contact", "https://firm.example", false],
  [null, "https://firm.example/contact", "https://firm.example", true],
  [null, "https://firm.example.evil.example/", "https://firm.example", false],
  [null, "http://firm.example/", null, true],
  [null, "nonsense", null, false],
])("takes Sec-Fetch-Site %s, Referer %s on %s for our own page: %s", (fetchSite, referer, site, expected) => {
  expect(isFromOwnPage(toHeaders({ "sec-fetch-site": fetchSite, referer, host: "firm.example" }), site)).toBe(expected);
});
