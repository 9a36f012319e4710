import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { markRun, unmarkRun } from "./run-mark.server";

it("removes the mark of a run, also one that a full disk kept from being written", () => {
  const folder = mkdtempSync(join(tmpdir(), "mark-"));
  unmarkRun(folder);
  expect(markRun(folder)).toBeNull();
  unmarkRun(folder);
  expect(markRun(folder)).toBeNull();
});
