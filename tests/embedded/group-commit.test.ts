import { setImmediate as afterThisTurn } from "node:timers/promises";
import { PGlite } from "@electric-sql/pglite";
import { expect, it } from "vitest";
import { GroupCommit } from "#supabase/embedded/session/group-commit.ts";
import { Mutex } from "#supabase/embedded/session/mutex.ts";

it("rejects waiting requests when the flush fails, without an unhandled rejection if all were aborted", async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => void unhandled.push(reason);
  process.on("unhandledRejection", note);
  const database = await PGlite.create();
  await database.close();
  const commits = new GroupCommit(database, new Mutex());
  await expect(commits.flush()).rejects.toThrow(/closed/);
  // This caller was aborted before it could await the flush.
  void commits.flush();
  await expect(commits.flush()).rejects.toThrow(/closed/);
  // Node reports unhandled rejections before the next turn of the event loop.
  await afterThisTurn();
  process.off("unhandledRejection", note);
  expect(unhandled).toEqual([]);
});
