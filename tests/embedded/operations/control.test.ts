import { once } from "node:events";
import { mkdir, readdir } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { openControl, sendAdminCommand, requestSnapshot } from "#supabase/embedded/control.ts";
import type { BackendEvent } from "#supabase/embedded/log.ts";
import { makeDataDir } from "../../support/site-folder.ts";

const polling = { timeout: 60_000, interval: 10 };

let dataDir: string;
let events: BackendEvent[];
beforeEach(async () => {
  dataDir = await makeDataDir();
  events = [];
});

const makeFolder = async (folder: string) => void (await mkdir(folder));
const list = async () => "There are no accounts.";
const open = (runAdminCommand = list, copyDatabase = makeFolder) =>
  openControl(dataDir, { copyDatabase, runAdminCommand }, (event) => void events.push(event));
const fail = async () => Promise.reject(new Error("no space for private@example.org"));

it("keeps a snapshot until its caller releases it", async () => {
  const control = await open();
  const snapshot = await requestSnapshot(dataDir);
  expect(await readdir(snapshot?.folder ?? "")).toEqual(["pg"]);
  await snapshot?.release();
  await expect.poll(() => readdir(dataDir)).toEqual(["control"]);
  await control.close();
  expect(await readdir(dataDir)).toEqual([]);
});

it("removes a snapshot when the server stops, and is then not there for the next caller", async () => {
  const control = await open();
  const snapshot = await requestSnapshot(dataDir);
  await control.close();
  expect(await readdir(dataDir)).toEqual([]);
  await snapshot?.release();
  expect(await requestSnapshot(dataDir)).toBeNull();
});

it("reports a failed snapshot without data, and leaves no files", async () => {
  const control = await open(list, fail);
  await expect(requestSnapshot(dataDir)).rejects.toThrow(/See its log/);
  await expect.poll(() => events).toMatchObject([{ event: "embedded.snapshot-failed" }]);
  expect(JSON.stringify(events)).not.toContain("private@example.org");
  expect(await readdir(dataDir)).toEqual(["control"]);
  await control.close();
});

it("passes the operator's command on and returns the result", async () => {
  const control = await open();
  expect(await sendAdminCommand(dataDir, { command: "list" })).toEqual(await list());
  await control.close();
  expect(await sendAdminCommand(dataDir, { command: "list" })).toBeNull();
});

it("survives a caller who disconnects before the reply", async () => {
  const control = await open();
  const caller = connect(join(dataDir, "control")).pause();
  await once(caller, "connect");
  caller.write("snapshot\n");
  await expect.poll(() => readdir(dataDir), polling).toHaveLength(2);
  // Destroying the socket with the reply unread resets the server's connection.
  caller.destroy();
  await expect.poll(() => readdir(dataDir), polling).toEqual(["control"]);
  expect(await sendAdminCommand(dataDir, { command: "list" })).toEqual(await list());
  await control.close();
});

it("keeps a rejected password out of the log, and disconnects on an invalid command", async () => {
  const control = await open(fail);
  const request = { command: "set-password", email: "a@example.org", password: "private@example.org" } as const;
  await expect(sendAdminCommand(dataDir, request)).rejects.toThrow(/See its log/);
  await expect(sendAdminCommand(dataDir, { command: "nonsense" } as never)).rejects.toThrow(/See its log/);
  await expect.poll(() => events.map(({ event }) => event)).toEqual(Array(2).fill("embedded.admin-command-failed"));
  expect(JSON.stringify(events)).not.toContain("private@example.org");
  await control.close();
});
