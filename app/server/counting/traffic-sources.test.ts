import { describe, expect, it } from "vitest";
import { nameCampaign, nameReferrer } from "./traffic-sources.server";

const own = "firm.example:8443";

describe("referrers", () => {
  it.each([
    ["https://www.linkedin.com/", "linkedin.com"],
    ["https://WWW.Google.com", "google.com"],
    ["http://news.example.org:8080/story?id=jane@doe.example", "news.example.org"],
    ["android-app://com.google.android.gm/", "com.google.android.gm"],
    ["https://xn--fiqs8s.xn--fiqs8s/", "xn--fiqs8s.xn--fiqs8s"],
  ])("name %s as %s", (referrer, name) => {
    expect(nameReferrer(referrer, own)).toBe(name);
  });

  it.each([undefined, ""])("are (none) if missing (%s)", (referrer) => {
    expect(nameReferrer(referrer, own)).toBe("(none)");
  });

  it.each(["https://firm.example:8443/startups", "https://FIRM.example:8443", "http://firm.example:8443?a"])(
    "are null for our own page %s",
    (referrer) => {
      expect(nameReferrer(referrer, own)).toBeNull();
    },
  );

  it.each([
    ["an IP address", "http://192.0.2.7/admin"],
    ["an IPv6 address", "http://[2001:db8::7]/"],
    ["a private machine", "http://janes-macbook.local/"],
    ["a name and password", "https://jane:secret@mail.example/"],
    ["another scheme", "file:///home/jane/letter.html"],
    ["an email address", "jane@doe.example"],
    ["Unicode", "https://bücher.example/"],
    ["a long name", `https://${"a".repeat(60)}.example/`],
    ["markup", "https://<b>.example/"],
    ["a prototype", "https://__proto__/"],
  ])("are (other) for %s", (_case, referrer) => {
    expect(nameReferrer(referrer, own)).toBe("(other)");
  });
});

describe("campaigns", () => {
  it.each([
    ["/?utm_campaign=Spring+Letter", "spring-letter"],
    ["/?utm_source=linkedin&utm_medium=social", "linkedin"],
    ["/about?utm_source=linkedin&utm_campaign=launch_2026.v2", "launch_2026.v2"],
    ["/?utm_campaign=&utm_source=letter", "letter"],
    ["/?a=1&utm_campaign=one&utm_campaign=two", "one"],
  ])("come from %s as %s", (url, name) => {
    expect(nameCampaign(url)).toBe(name);
  });

  it.each(["/", "/?q=utm", "/?utm_medium=social", "/?utm_campaign=", "/utm_campaign=x", "/?utm_campaign=%20"])(
    "are null in %s",
    (url) => {
      expect(nameCampaign(url)).toBeNull();
    },
  );

  it.each([
    ["an email address", "/?utm_campaign=jane@doe.example"],
    ["an IP address", "/?utm_campaign=192.0.2.7"],
    ["Unicode", "/?utm_campaign=fr%C3%BChling"],
    ["65 characters", `/?utm_campaign=${"a".repeat(65)}`],
    ["a reserved name", "/?utm_campaign=(none)"],
    ["a broken escape", "/?utm_campaign=%E0%A4%A"],
    ["a prototype", "/?utm_campaign=__proto__"],
  ])("are (other) for %s", (_case, url) => {
    expect(nameCampaign(url)).toBe("(other)");
  });

  it("accept 64 characters", () => {
    expect(nameCampaign(`/?utm_campaign=${"a".repeat(64)}`)).toBe("a".repeat(64));
  });
});
