import { mkdir, readdir, rm } from "node:fs/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openControl, requestSnapshot } from "#supabase/embedded/control.ts";
import type { BackendEvent } from "#supabase/embedded/log.ts";
import { makeEmptyFolder } from "../start-backend.ts";

let dataDir: string;
let events: BackendEvent[];
beforeEach(async () => {
  dataDir = await makeEmptyFolder();
  events = [];
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const log = (event: BackendEvent) => void events.push(event);
const makeFolder = async (folder: string) => void (await mkdir(folder));
const fail = async () => Promise.reject(new Error("no space for private@example.org"));

it("keeps a snapshot until its caller releases it", async () => {
  const control = await openControl(dataDir, makeFolder, log);
  const snapshot = await requestSnapshot(dataDir);
  expect(await readdir(snapshot?.folder ?? "")).toEqual(["pg"]);
  await snapshot?.release();
  await expect.poll(() => readdir(dataDir)).toEqual(["control"]);
  await control.close();
  expect(await readdir(dataDir)).toEqual([]);
});

it("removes a snapshot when the server stops, and is then not there for the next caller", async () => {
  const control = await openControl(dataDir, makeFolder, log);
  const snapshot = await requestSnapshot(dataDir);
  await control.close();
  expect(await readdir(dataDir)).toEqual([]);
  await snapshot?.release();
  expect(await requestSnapshot(dataDir)).toBeNull();
});

it("says that it failed without saying what it read, and leaves nothing behind", async () => {
  const control = await openControl(dataDir, fail, log);
  await expect(requestSnapshot(dataDir)).rejects.toThrow(/its log says why/);
  await expect.poll(() => events).toMatchObject([{ event: "embedded.snapshot-failed" }]);
  expect(JSON.stringify(events)).not.toContain("private@example.org");
  expect(await readdir(dataDir)).toEqual(["control"]);
  await control.close();
});
