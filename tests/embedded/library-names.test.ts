import { PGlite } from "@electric-sql/pglite";
import { afterEach, expect, it } from "vitest";
import { makeFolder, startTestBackend } from "./support/start-backend.ts";
import { databaseOptions } from "#supabase/embedded/folder/database.ts";

const putBack: (() => void)[] = [];
afterEach(() => putBack.splice(0).forEach((restore) => restore()));

/** Removes a name, as a release that renames it does. */
function remove(owner: object, name: string): void {
  const descriptor = Object.getOwnPropertyDescriptor(owner, name);
  if (!descriptor) return remove(Object.getPrototypeOf(owner) as object, name);
  Reflect.deleteProperty(owner, name);
  putBack.push(() => Object.defineProperty(owner, name, descriptor));
}

it("refuses to start when PGlite passes its statements through another method", async () => {
  remove(PGlite.prototype, "execProtocolStream");
  const dataDir = await makeFolder();
  await expect(startTestBackend({ dataDir })).rejects.toThrow("PGlite has no PGlite.prototype.execProtocolStream,");
});

it("refuses to start when PGlite ignores the start parameters that enable fsync", async () => {
  const dataDir = await makeFolder();
  const { startParams } = databaseOptions;
  databaseOptions.startParams = ["--single", "-F", ...startParams.slice(1)];
  putBack.push(() => (databaseOptions.startParams = startParams));
  await expect(startTestBackend({ dataDir })).rejects.toThrow("PGlite has no option startParams");
});
