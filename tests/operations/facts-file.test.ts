import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readFacts } from "~/content/firm/facts-file.server";
import { makeDataDir, startProduct, testAdmin } from "../support/product";
import { startSite } from "../support/site";
import { Visitor, readText } from "../support/visitor";

describe("a file of facts with mistakes", () => {
  // `backups-elsewhere.test.ts` shows that mistakes do not prevent a backup.
  it("prevents the start, and lists every mistake", async () => {
    const dataDir = await makeDataDir();
    await writeFile(join(dataDir, "facts.yaml"), "nmae: Firm One\nemail: nobody\n");
    expect(readFacts({ DATA_DIR: dataDir }).mistakes).toHaveLength(2);
    const start = startProduct({}, { dataDir });
    await expect(start).rejects.toThrow(
      /ended at once:\nThe firm’s facts in .*facts\.yaml have 2 mistakes:\n- email: write .*\n- nmae: unknown key; .*\n$/,
    );
    await expect(start).rejects.not.toThrow(/ {4}at /);
  });
});

describe("placeholders on a public site", () => {
  const isPublic = { SITE_URL: "https://site.test" };

  it("are counted in one log line per start and on the admin's page", async () => {
    // No call reaches this project, which does not exist.
    const elsewhere = {
      SUPABASE_URL: "http://127.0.0.1:9",
      SUPABASE_PUBLISHABLE_KEY: "sb_publishable_test",
      SESSION_SECRET: "a secret of at least 32 characters",
    };
    const product = await startProduct(
      { ...elsewhere, HOST: "0.0.0.0", ...isPublic },
      { dataDir: await makeDataDir() },
    );
    expect(
      product.output().match(/"event":"facts\.missing","count":9,.*node bin\/site\.mjs doctor --strict/g),
    ).toHaveLength(1);
    // The server reports nothing else (`folder-rights.test.ts` covers a server reachable by other machines).
    expect(product.output()).toContain("Ready:");
    expect(product.output()).not.toContain("Warning");
    await product.stop();

    const site = await startSite(isPublic);
    const admin = new Visitor(site.url);
    await admin.post("/login", testAdmin, { Origin: isPublic.SITE_URL });
    expect(readText((await admin.get("/admin")).html)).toContain("9 facts about your firm are missing");
    await site.stop();
  });
});
