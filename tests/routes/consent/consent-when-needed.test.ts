import { expect, it } from "vitest";
import { publicPaths } from "../../support/page-source";
import { startSite } from "../../support/site";
import { Visitor, readText } from "../../support/visitor";
import { choose, hasBanner, readDecision } from "../support/consent";

const notAsked = "no banner asks you";

it("shows no banner without optional cookies, and keeps the preferences available", async () => {
  const site = await startSite({ CONSENT_BANNER: "when-needed" }, { isWarm: true });
  for (const path of [...publicPaths, "/no-such-page", "/login"])
    expect(hasBanner((await new Visitor(site.url).get(path)).html), path).toBe(false);
  // A visitor with a decision under an older text, or with an invalid cookie.
  const visitor = new Visitor(site.url);
  visitor.setCookie("cookie-consent", "v=0.0");
  expect(hasBanner((await visitor.get("/about")).html)).toBe(false);

  const about = (await new Visitor(site.url).get("/about")).html;
  expect(about).toContain('href="/about?cookie-preferences=open#cookie-preferences"');
  const open = (await new Visitor(site.url).get("/about?cookie-preferences=open")).html;
  expect(open).toContain("Privacy &amp; Cookie Preferences");
  expect(hasBanner(open)).toBe(false);
  await choose(visitor, "save", { analytics: "on" });
  expect(readDecision(visitor)).toMatchObject({ analytics: true, marketing: false });
  expect(readText((await new Visitor(site.url).get("/cookie-policy")).html)).toContain(notAsked);
  await site.stop();
});

it("shows the banner whenever analytics is in use, despite CONSENT_BANNER", async () => {
  const site = await startSite({ CONSENT_BANNER: "when-needed", GA_MEASUREMENT_ID: "G-ABC123DEF4" });
  for (const path of ["/", "/contact"])
    expect(hasBanner((await new Visitor(site.url).get(path)).html), path).toBe(true);
  expect(readText((await new Visitor(site.url).get("/cookie-policy")).html)).not.toContain(notAsked);
  await site.stop();
});
