import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { markReady } from "#supabase/embedded/folder/marker.ts";
import { takeDataFolder } from "#supabase/embedded/folder/take-folder.ts";
import { makeDataDir } from "../../support/site-folder.ts";

let dataDir: string;
beforeEach(async () => {
  dataDir = join(await makeDataDir(), "the firm's data");
  await mkdir(dataDir);
});

const older = "backup-2026-01-01T03-00-00-000Z.tar.gz";
const newest = "backup-2026-01-02T03-00-00-000Z.tar.gz.age";
const restoreNewest = `restore 'DIR/backups/${newest}' --replace`;

async function write(name: string, content = ""): Promise<void> {
  await mkdir(join(dataDir, name, ".."), { recursive: true });
  await writeFile(join(dataDir, name), content);
}

const open = async () => (await takeDataFolder(dataDir)).release();

describe("a folder without a database", () => {
  it.each([
    ["nothing", []],
    ["keys of a first start that was cut off", ["secrets.json", "session-secret", "pg.init-x/PG_VERSION", "running"]],
    ["a list of erasures alone", ["backups/erasures.json", `backups/${older}.tmp`]],
    ["a facts file and a file system's own folder", ["facts.yaml", "lost+found/x"]],
  ])("starts empty with %s", async (_, names) => {
    for (const name of names) await write(name);
    await expect(open()).resolves.toBeUndefined();
  });

  it.each([
    ["a mark", ["started.json"], "no backup is in", "remove DIR/started.json."],
    ["backups", [`backups/${older}`, `backups/${newest}`], restoreNewest, "move DIR/backups away."],
    [
      "both, and an empty folder where a disk was mounted",
      ["started.json", `backups/${newest}`, "pg/lost+found/x"],
      restoreNewest,
      "remove DIR/started.json and move DIR/backups away.",
    ],
  ])("is a loss with %s", async (_, names, restore, empty) => {
    for (const name of names) await write(name);
    const { message } = await open().then(
      () => new Error("It started."),
      (error: Error) => error,
    );
    // The second is the folder's name as a shell reads it.
    const refusal = message.replaceAll(dataDir, "DIR").replaceAll(dataDir.replace("'", "'\\''"), "DIR");
    expect(refusal).toMatch(/^The database DIR\/pg is missing although a site ran here/);
    expect(refusal).toContain(restore);
    expect(refusal).toContain(`To start empty on purpose, ${empty}`);
  });
});

it("keeps the time of the first ready start when another version starts", async () => {
  const readyAt = "2026-01-02T03:04:05.678Z";
  await write("started.json", JSON.stringify({ readyAt, version: "0.0.1" }));
  await markReady(dataDir);
  expect(JSON.parse(await readFile(join(dataDir, "started.json"), "utf8"))).toEqual({
    readyAt,
    version: expect.not.stringMatching("0.0.1"),
  });
});
