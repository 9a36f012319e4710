import { expect, it } from "vitest";
import { z } from "zod";
import { parseReadable } from "./readable-rows.server";

const row = z.object({
  id: z.string(),
  fields: z.array(z.enum(["ai"])),
  events: z.array(z.object({ at: z.string() })),
});
const listSchema = z.object({ total: z.int(), page: z.object({ rows: z.array(row) }) });
const readable = { id: "a", fields: ["ai"], events: [{ at: "now" }] };

it.each([
  ["a field", { ...readable, id: "b", fields: ["x"] }, "b"],
  ["an array's dimensions", { ...readable, id: "b", fields: [["ai"]] }, "b"],
  ["a row with an unreadable part", { ...readable, id: "b", events: [{}] }, "b"],
  ["a missing id", { fields: [], events: [] }, null],
  ["a number as id", { ...readable, id: 7 }, "7"],
])("leaves a row out for %s, and names its id", (_, odd, id) => {
  const parsed = parseReadable(listSchema, { total: 2, page: { rows: [odd, readable] } });
  expect(parsed).toEqual({ data: { total: 2, page: { rows: [readable] } }, unreadable: [id] });
});

it("throws for a mistake outside of rows", () => {
  expect(() => parseReadable(listSchema, { total: "2", page: { rows: [] } })).toThrow(z.ZodError);
  expect(() => parseReadable(row, { ...readable, fields: ["x"] })).toThrow(z.ZodError);
  expect(() => parseReadable(z.array(row), null)).toThrow(z.ZodError);
});
