import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { builtInCompany } from "~/content/firm/built-in";
import { startProduct, testAdmin } from "../support/product";
import { shareSite } from "../support/shared-site";
import { startSite } from "../support/site";
import { makeDataDir } from "../support/site-folder";
import { Visitor, readText } from "../support/visitor";

const { founder, linkedin } = builtInCompany;
const SITE_URL = "https://site.test";
const missing = "9 facts about your firm are missing";

describe("missing facts", () => {
  it("are links on a local site, and on a public one absent links and a sentence for the admin", async () => {
    const site = await startSite({ SITE_URL });
    const [local, visitor] = [new Visitor((await shareSite()).url), new Visitor(site.url)];
    for (const path of ["/", "/about", "/no-such-page"]) {
      expect((await local.get(path)).html, path).toContain(linkedin);
      expect((await visitor.get(path)).html, path).not.toContain(linkedin);
    }
    expect((await visitor.get("/about")).html).not.toContain(`href="${founder.linkedin}"`);
    await visitor.post("/login", testAdmin, { Origin: SITE_URL });
    expect(readText((await visitor.get("/admin")).html)).toContain(missing);
    await local.signIn();
    expect(readText((await local.get("/admin")).html)).not.toContain("facts about your firm are missing");
    await site.stop();
  });

  it("are counted in one log line of a public site's start, beside one on a list of closed days that ends", async () => {
    const SITE_FACTS = join(await makeDataDir(), "facts.yaml");
    await writeFile(SITE_FACTS, 'closed: [{ days: "2026-01-01", reason: New Year }]');
    // No call reaches this project, which does not exist.
    const elsewhere = {
      SUPABASE_URL: "http://127.0.0.1:9",
      SUPABASE_PUBLISHABLE_KEY: "sb_publishable_test",
      SESSION_SECRET: "a secret of at least 32 characters",
    };
    const product = await startProduct({ ...elsewhere, HOST: "0.0.0.0", SITE_URL, SITE_FACTS });
    await product.stop();
    const lines = product.output().match(/"event":"facts\.missing","count":9,.*node bin\/site\.mjs doctor --strict/g);
    expect(lines).toHaveLength(1);
    expect(product.output()).toContain('"event":"facts.closed-days-end","on":"2026-01-01"');
    expect(product.output()).not.toContain("Warning");
  });
});

it("refuses to start with mistakes in the facts, and lists every one", async () => {
  const dataDir = await makeDataDir();
  await writeFile(join(dataDir, "facts.yaml"), "nmae: Firm One\nemail: nobody\n");
  await expect(startProduct({}, { dataDir })).rejects.toThrow(
    /ended at once:\nThe firm’s facts in .*facts\.yaml have 2 mistakes:\n- email: write .*\n- nmae: unknown key; .*\n$/,
  );
});
