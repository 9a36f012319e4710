import { PGlite } from "@electric-sql/pglite";
import { App } from "@supabase/lite";
import { PgliteConnection } from "@supabase/lite/pglite";
import { afterEach, expect, it } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { makeEmptyFolder, makeFolder, startTestBackend } from "./support/start-backend.ts";
import { databaseOptions } from "#supabase/embedded/folder/database.ts";
import { productMigrations } from "#supabase/embedded/migrations.ts";
import { requireLibraryUse } from "#supabase/embedded/session/library-names.ts";

const putBack: (() => void)[] = [];
afterEach(() => putBack.splice(0).forEach((restore) => restore()));

/** Removes a name, as a release that renames it does. */
function remove(owner: object, name: string): void {
  const descriptor = Object.getOwnPropertyDescriptor(owner, name);
  if (!descriptor) return remove(Object.getPrototypeOf(owner) as object, name);
  Reflect.deleteProperty(owner, name);
  putBack.push(() => Object.defineProperty(owner, name, descriptor));
}

const lite = `@supabase/lite ${packageJson.dependencies["@supabase/lite"]}`;
const pglite = `@electric-sql/pglite ${packageJson.dependencies["@electric-sql/pglite"]}`;

it.each([
  [lite, "PgliteConnection.prototype", PgliteConnection.prototype, "ensureRlsContext"],
  [lite, "PgliteConnection.prototype", PgliteConnection.prototype, "applyJwtSessionContext"],
  [lite, "PgliteConnection.prototype", PgliteConnection.prototype, "applyRpcRequestGucs"],
  [lite, "App.prototype", App.prototype, "ensureSystemSchema"],
  [pglite, "PGlite.prototype", PGlite.prototype, "execProtocolRawSync"],
  [pglite, "PGlite.prototype", PGlite.prototype, "execProtocolStream"],
])("refuses to start when %s lacks a member of %s", async (library, ownerName, owner, name) => {
  remove(owner, name);
  const dataDir = await makeEmptyFolder();
  await expect(startTestBackend({ dataDir })).rejects.toThrow(`${library} has no ${ownerName}.${name}, which`);
});

it("refuses to start when lite keeps a method but no longer calls it", async () => {
  const { prototype } = PgliteConnection as unknown as { prototype: { withContext: unknown } };
  const before = prototype.withContext;
  prototype.withContext = (_variables: unknown, work: (database: unknown) => unknown) => work(undefined);
  putBack.push(() => (prototype.withContext = before));
  await expect(startTestBackend({ migrations: productMigrations })).rejects.toThrow(
    `${lite} has no call of "ensureRlsContext" where one is due`,
  );
});

it("refuses to start when PGlite ignores the start parameters that enable fsync", async () => {
  const dataDir = await makeFolder();
  const { startParams } = databaseOptions;
  databaseOptions.startParams = ["--single", "-F", ...startParams.slice(1)];
  putBack.push(() => (databaseOptions.startParams = startParams));
  await expect(startTestBackend({ dataDir })).rejects.toThrow(`${pglite} has no option startParams`);
});

it("names a method that lite did not call", () => {
  const used = new Set(["withContext", "ensureRlsContext", "applyJwtSessionContext"] as const);
  expect(() => requireLibraryUse(used)).toThrow(`${lite} has no call of "applyRpcRequestGucs" where one is due`);
});
