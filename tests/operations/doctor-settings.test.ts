import { Resolver } from "node:dns/promises";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findFreePort } from "../support/free-port";
import { makeDataDir } from "../support/site-folder";
import { diagnose, lineOf, problemsOf, supplyFacts } from "./support/doctor";
import { canBeRefused, makeForeignFolder, openForeignFolders, runSite } from "./support/run-site";

/** A name server that does not respond: these tests are not about DNS. */
const resolver = new Resolver({ timeout: 200, tries: 1 });
resolver.setServers(["127.0.0.1:9"]);

/** Settings of a site that was never started. */
let sound: Record<string, string>;
beforeAll(async () => {
  sound = {
    SITE_FACTS: await supplyFacts(),
    DATA_DIR: join(await makeDataDir(), "data"),
    PORT: "0",
    SITE_URL: "https://firm.example",
    TRUSTED_PROXIES: "1",
    ADMIN_EMAIL: "admin@firm.example",
    RESEND_API_KEY: "re_test",
    MAIL_FROM: "hello@firm.example",
  };
});
afterAll(openForeignFolders);

it("says in one line that no site is here", async () => {
  const { code, out } = await runSite(["doctor"], { settings: { PORT: String(await findFreePort()) } });
  expect(out).toMatch(
    /^look at +site: DATA_DIR is not set, .*\/data does not exist, and no server runs\. Set DATA_DIR .*\n$/,
  );
  expect(code).toBe(1);
});

it("finds nothing to do before the first start", async () => {
  const diagnosis = await diagnose(sound, { resolver });
  expect(problemsOf(diagnosis)).toEqual([]);
  expect(diagnosis.code).toBe(0);
});

describe("settings", () => {
  it.each<[string, Record<string, string>, RegExp]>([
    ["no mail server on a public site", { RESEND_API_KEY: "" }, /^fix settings: No mail server .* See .*mail\.md/],
    ["a sender without an address", { MAIL_FROM: "firm" }, /^fix settings: MAIL_FROM must be one email address, like /],
    ["TRUSTED_PROXIES of 0 with an https SITE_URL", { TRUSTED_PROXIES: "0" }, /^fix settings: A proxy .*proxy\.md/m],
    [
      "a public site without https",
      { SITE_URL: "http://firm.example" },
      /^look at settings: SITE_URL begins with http:\/\//,
    ],
    [
      "a misspelled name",
      { TRUSTED_PROXY: "1" },
      /^look at settings: TRUSTED_PROXY \(TRUSTED_PROXIES\?\) is set but not used\./,
    ],
    [
      "a guessed password",
      { ADMIN_PASSWORD: "password1234" },
      /^look at settings: A start refuses ADMIN_PASSWORD .* Use a password manager/,
    ],
  ])("name %s", async (_, changes, line) => {
    const diagnosis = await diagnose({ ...sound, ...changes }, { resolver });
    expect(lineOf(diagnosis, line.source.startsWith("^fix") ? "fix" : "look at", "settings")).toMatch(line);
    expect(diagnosis.code).toBe(line.source.startsWith("^fix") ? 2 : 1);
  });

  it("are all named that a start would name, in the file .env as well, by the program of the build", async () => {
    const DATA_DIR = await makeDataDir();
    const two = await runSite(["doctor", "--json"], { settings: { DATA_DIR, PORT: "none", SITE_URL: "firm" } });
    expect(two).toMatchObject({ code: 2, err: "" });
    expect(JSON.parse(two.out)).toMatchObject([
      { name: "settings", verdict: "fix", text: expect.stringMatching(/^PORT must be /) },
      { name: "settings", verdict: "fix", text: expect.stringMatching(/^SITE_URL must be /) },
      { verdict: "not checked" },
    ]);
    const file = await runSite(["doctor"], { settings: { DATA_DIR }, envFile: "SITE_URL\nPORT=0\n" });
    expect(file).toMatchObject({
      code: 2,
      out: expect.stringMatching(/^fix +settings: line 1 .* Correct the file \.env\.$/m),
    });
    const unknown = await runSite(["doctor"], { settings: { DATA_DIR }, envFile: "FIRM_COLOR=blue\nPORT=0\n" });
    expect(unknown).toMatchObject({
      code: 1,
      out: expect.stringContaining("settings: FIRM_COLOR is set but not used."),
    });
    expect(await runSite(["doctor", "--all"])).toMatchObject({ code: 2, err: expect.stringMatching(/^Usage: /) });
  });

  it("name mistakes in the facts", async () => {
    const DATA_DIR = await makeDataDir();
    await writeFile(join(DATA_DIR, "facts.yaml"), "nmae: Firm One\nemail: nobody\n");
    const { code, out } = await runSite(["doctor"], { settings: { DATA_DIR, PORT: "0" } });
    expect(out.match(/^fix +facts: .*facts\.example\.yaml.*$/gm)).toHaveLength(2);
    expect(code).toBe(2);
  });
});

it.skipIf(!canBeRefused)("names a data folder that this user may only read", async () => {
  const settingsOfUser = { PORT: "0", DATA_DIR: await makeForeignFolder(0o755) };
  const { code, out } = await runSite(["doctor"], { settings: settingsOfUser, asNobody: true });
  expect(out).toMatch(
    /^fix +data folder: .*\/foreign cannot be read and written \(EACCES\)\. Start this as .*DATA_DIR/m,
  );
  expect(code).toBe(2);
});
