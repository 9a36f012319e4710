import { type FileHandle, open, readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { storeMailFile } from "#supabase/embedded/folder/mail-files";
import { makeDataDir } from "../support/product";

/** Kinds of flushed file handles, in order; each flush still runs. */
const flushed: ("file" | "folder")[] = [];
let stopWatching: (() => void) | undefined;
afterEach(() => stopWatching?.());

async function watchFlushes(): Promise<void> {
  const handle = await open(".", "r");
  const prototype = Object.getPrototypeOf(handle) as FileHandle;
  await handle.close();
  const { sync } = prototype;
  stopWatching = () => void (prototype.sync = sync);
  prototype.sync = async function (this: FileHandle) {
    flushed.push((await this.stat()).isDirectory() ? "folder" : "file");
    return sync.call(this);
  };
}

it("stores a mail for its owner only, and flushes the file and then its folder, to survive a power cut", async () => {
  const folder = join(await makeDataDir(), "mail");
  await watchFlushes();
  await storeMailFile(folder, "one.eml", Buffer.from("Subject: one\r\n"));
  expect(flushed).toEqual(["file", "folder"]);
  expect(await readdir(folder)).toEqual(["one.eml"]);
  expect(await readFile(join(folder, "one.eml"), "utf8")).toBe("Subject: one\r\n");
  expect((await stat(join(folder, "one.eml"))).mode & 0o777).toBe(0o600);
});

it("rejects a name with a path", async () => {
  await expect(storeMailFile(await makeDataDir(), "../one.eml", "")).rejects.toThrow("plain name");
});
