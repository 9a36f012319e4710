import { expect, it, vi } from "vitest";
import { createLog } from "../../../observability/log.server";
import { startRetentionTimer } from "./retention-timer.server";

const event = "retention.failed";
const refused = { consents_refused: 1 };

it.each<[string, () => Promise<object[]>, string, object]>([
  ["a run that deleted what was due", async () => [{ counts: { consents: 2 } }], "info", { event: "retention.kept" }],
  ["a clock in doubt", async () => [{ counts: null }], "error", { event: "retention.waits" }],
  ["rows that the database refused to delete", async () => [{ counts: refused }], "error", { event, ...refused }],
  ["a database that does not run", () => Promise.reject(new TypeError()), "error", { event, error: "TypeError" }],
])("logs %s, and tidies in any case", async (_case, sql, level, logged) => {
  const lines: string[] = [];
  const stream = { write: (line: string) => void lines.push(line) };
  const tidy = vi.fn<() => Promise<void>>(async () => {});
  const timer = startRetentionTimer({ sql: sql as never }, createLog(stream, stream), tidy, 0);
  await expect.poll(() => tidy.mock.calls).toHaveLength(1);
  await timer.stop();
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([{ level, ...logged }]);
});
