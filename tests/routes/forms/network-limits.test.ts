import { afterAll, beforeAll, expect, it } from "vitest";
import { filledJoinForm, joinAddress, readNetworkLink, tokenOf } from "../../support/network-links";
import { type TestSite, startSite } from "../../support/site";
import { Visitor } from "../../support/visitor";

let site: TestSite;
beforeAll(async () => {
  site = await startSite({ POST_RATE_LIMIT: "4", ACKNOWLEDGEMENTS_PER_HOUR: "0" });
});
afterAll(() => site.stop());

it("shows a member who posted too often the text of the refused change", async () => {
  const visitor = new Visitor(site.url);
  const email = "member@fund.example";
  await visitor.post(joinAddress, { ...filledJoinForm, email });
  const link = await readNetworkLink(site.dataDir, email);
  const post = (fields: Record<string, string>) => visitor.post(link, { token: tokenOf(link), ...fields });
  await post({ intent: "confirm", shown: "" });
  const change = { intent: "change", name: "Mary W. Jackson", company: "Tunnel Fund", place: "Virginia", seen: "0" };
  let last = await post(change);
  for (let i = 0; i < 6 && last.status !== 429; i += 1) last = await post(change);
  expect([last.status, Number(last.headers.get("retry-after")) > 0]).toEqual([429, true]);
  expect(last.html).toContain("Mary W. Jackson</textarea>");
  expect(last.html).toContain("Virginia</textarea>");
  expect(last.headers.get("cache-control")).toContain("no-store");
});
