import { chmod, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startProduct } from "../../support/product";
import { startSite } from "../../support/site";
import { makeSiteFolder } from "../../support/site-folder";
import { Visitor, readText } from "../../support/visitor";
import { type StubProject, answerJson, startStubProject } from "../support/stub-project";

let stub: StubProject;

beforeAll(async () => {
  stub = await startStubProject(answerJson(503, {}));
});
afterAll(() => stub.close());

describe("the data folder", () => {
  it("is closed at startup if it is open to others, with a log line", async () => {
    const dataDir = await makeSiteFolder();
    await chmod(dataDir, 0o755);
    const site = await startSite({}, { dataDir });
    expect(((await stat(dataDir)).mode & 0o777).toString(8)).toBe("700");
    expect(site.output().match(/"data-folder\.closed"/g)).toHaveLength(1);
    await site.stop();
  });

  it("serves with a backups folder that cannot be used, and reports it to log and admins", async () => {
    const dataDir = await makeSiteFolder();
    await writeFile(join(dataDir, "backups"), "");
    const site = await startSite({ BACKUP_EVERY: "1d" }, { dataDir, timeouts: { firstBackup: 0 } });
    const expected = /"backups\.failed".*"remedy":"The backups folder \S+\/backups is not a folder \(ENOTDIR\): /;
    await expect.poll(() => site.output()).toMatch(expected);
    const admin = new Visitor(site.url);
    await admin.signIn();
    expect(readText((await admin.get("/admin")).html)).toContain("There is no good backup yet.");
    await site.stop();
  });
});

// `start-early.test.ts` and `facts-file.test.ts` (with SITE_URL) cover servers without this warning.
describe("a server that other machines can reach", () => {
  it("warns about a missing SITE_URL in plain words and starts", async () => {
    const product = await startProduct({ ...stub.settings, HOST: "0.0.0.0" });
    expect(product.output()).toMatch(/Warning: SITE_URL is not set, and with HOST=0\.0\.0\.0 other machines can reach/);
    expect((await fetch(`${product.url}/healthz`)).status).toBe(200);
    await product.stop();
  });
});
