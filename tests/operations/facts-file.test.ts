import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readFacts } from "~/content/firm/facts-file.server";
import { startProduct, testAdmin } from "../support/product";
import { makeSiteFolder } from "../support/site-folder";
import { runCommand } from "../support/commands/admin-command";
import { Visitor, readText } from "../support/visitor";

describe("a file of facts with mistakes", () => {
  it("keeps the site from starting, says every mistake in plain words, and stops no backup", async () => {
    const dataDir = await makeSiteFolder();
    await writeFile(join(dataDir, "facts.yaml"), "nmae: Firm One\nemail: nobody\n");
    expect(readFacts({ DATA_DIR: dataDir }).mistakes).toHaveLength(2);
    const start = startProduct({}, { dataDir });
    await expect(start).rejects.toThrow(
      /ended at once:\nThe firm’s facts in .*facts\.yaml have 2 mistakes:\n- email: write .*\n- nmae: nobody reads .*\n$/,
    );
    await expect(start).rejects.not.toThrow(/ {4}at /);
    const check = await runCommand("check-content", [], dataDir);
    expect(check).toMatchObject({ code: 1 });
    expect(check.said).toContain("2 mistakes");
    expect(await runCommand("backup", [], dataDir)).toMatchObject({ code: 0 });
  });
});

describe("placeholders on a public site", () => {
  it("are counted in one line of each start and on the admin's page", async () => {
    const product = await startProduct({ SITE_URL: "https://site.test" });
    try {
      expect(product.output()).toMatch(/"event":"facts\.missing","count":9,.*npm run check:content/);
      const admin = new Visitor(product.url);
      await admin.post("/login", testAdmin, { Origin: "https://site.test" });
      expect(readText((await admin.get("/admin")).html)).toContain("9 facts about the firm are still to be supplied");
    } finally {
      await product.stop();
    }
  });
});
