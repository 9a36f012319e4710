import { PGlite } from "@electric-sql/pglite";
import { expect, it } from "vitest";
import { GroupCommit } from "#supabase/embedded/session/group-commit.ts";
import { Mutex } from "#supabase/embedded/session/mutex.ts";

it("fails for those who wait for the disk, and ends nothing where all of them have given up", async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => void unhandled.push(reason);
  process.on("unhandledRejection", note);
  const database = await PGlite.create();
  await database.close();
  const commits = new GroupCommit(database, new Mutex());
  await expect(commits.flush()).rejects.toThrow(/closed/);
  // A request that was given up before it came to wait.
  void commits.flush();
  await new Promise((resolve) => setTimeout(resolve, 100));
  process.off("unhandledRejection", note);
  expect(unhandled).toEqual([]);
});
