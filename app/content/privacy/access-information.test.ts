import { expect, it } from "vitest";
import { accessInformation } from "./access-information";

const own = { isHosted: false, sendsMail: false, copiesBackups: false, hasAnalytics: false };
const names = ["Supabase", "Email providers", "storage", "Google"];

it.each([
  ["its own server alone", own, []],
  ["a hosted project", { ...own, isHosted: true }, ["Supabase"]],
  ["mail", { ...own, sendsMail: true }, ["Email providers"]],
  ["copied backups", { ...own, copiesBackups: true }, ["storage"]],
  ["analytics", { ...own, hasAnalytics: true }, ["Google"]],
])("names exactly the recipients of a site with %s (GDPR, article 15(1)(c))", (_case, site, expected) => {
  const recipients = accessInformation(site).recipients.join("\n");
  expect(names.filter((name) => recipients.includes(name))).toEqual(expected);
});
