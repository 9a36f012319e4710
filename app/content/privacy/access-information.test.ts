import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { company } from "../company";
import { dataRightsDeadline, gdprArticles, retention } from "../facts";
import { accessInformation } from "./access-information";

const own = { isHosted: false, sendsMail: false, copiesBackups: false, hasAnalytics: false };

describe("what goes with a copy of somebody's data (GDPR, article 15(1) and (2))", () => {
  it("says something under every letter", () => {
    for (const [name, lines] of Object.entries(accessInformation(own))) {
      expect([name, lines.length > 0]).toEqual([name, true]);
      for (const line of lines) expect(line).toMatch(/[.]$/);
    }
  });

  it("states the periods, deadlines and articles of the policies", () => {
    const { periods, rights, complaint, source } = accessInformation(own);
    const text = [...periods, ...rights, ...complaint, ...source].join("\n");
    for (const stated of [
      `${retention.contactSubmissionYears} years`,
      `${retention.closedRequestYears} years after they were closed`,
      `${retention.unconfirmedRequestDays} days after their answer was due`,
      `${retention.mailDays} days after they were delivered`,
      `${dataRightsDeadline.responseDays} days`,
      `Article ${gdprArticles.complaint} GDPR`,
      company.email,
    ])
      expect(text).toContain(stated);
  });

  it("claims no more of automated decisions than the privacy policy: limits and hidden fields do decide something", () => {
    const policy = readFileSync("app/content/legal/privacy-policy.md", "utf8");
    const [claim = ""] = /No decision[^.]*by a machine alone/.exec(policy) ?? [];
    expect(claim).toContain("with legal or similarly serious effects");
    expect(accessInformation(own).automated_decisions[0]).toContain("with legal or similarly serious effects");
  });

  it("names the recipients that a site has, and no others", () => {
    const names = (site: typeof own) => accessInformation(site).recipients.join("\n");
    expect(names(own)).not.toMatch(/Supabase|Google|Email providers/);
    expect(names({ ...own, isHosted: true })).toContain("Supabase");
    expect(names({ ...own, sendsMail: true })).toContain("Email providers");
    expect(names({ ...own, copiesBackups: false, hasAnalytics: true })).toContain("Google");
  });
});
