import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { company } from "../company";
import { dataRightsDeadline, gdprArticles, retention } from "../facts";
import { accessInformation } from "./access-information";

const own = { isHosted: false, sendsMail: false, copiesBackups: false, hasAnalytics: false };

describe("the information with a copy of a person's data (GDPR, article 15(1) and (2))", () => {
  it("has sentences for every letter of the article", () => {
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

  it("limits its claim about automated decisions like the privacy policy, because rate limits and honeypots do decide", () => {
    const policy = readFileSync("app/content/legal/privacy-policy.md", "utf8");
    const [claim = ""] = /No decision[^.]*by a machine alone/.exec(policy) ?? [];
    expect(claim).toContain("with legal or similarly serious effects");
    expect(accessInformation(own).automated_decisions[0]).toContain("with legal or similarly serious effects");
  });

  it("names exactly the site's recipients", () => {
    const names = (site: typeof own) => accessInformation(site).recipients.join("\n");
    expect(names(own)).not.toMatch(/Supabase|Google|Email providers/);
    expect(names({ ...own, isHosted: true })).toContain("Supabase");
    expect(names({ ...own, sendsMail: true })).toContain("Email providers");
    expect(names({ ...own, copiesBackups: false, hasAnalytics: true })).toContain("Google");
  });
});
