import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { writeNetworkCsv } from "./network-csv.server";
import type { ExportedMember } from "./network.server";

const member: ExportedMember = {
  id: "7c0f0a52-9f0e-4b37-8f0c-2f6f1f2b7a11",
  email: "ada@example.com",
  name: "Ada Lovelace",
  company: "Engines Ltd",
  kind: "family-office",
  fields: ["ai", "devices"],
  check_size: "over-2m",
  place: null,
  qualification: "no",
  state: "admitted",
  asked_at: "2026-11-20T01:25:44.134+00:00",
  confirmed_at: "2026-11-20T12:00:00+00:00",
  renewed_at: "2026-11-20T12:00:00+00:00",
  decided_at: null,
  paused_at: "2026-11-25T03:00:00+00:00",
};

it("writes choices in words and days at the firm, also since when a mailbox refuses mail", async () => {
  const file = writeNetworkCsv([member], { separator: "comma", timeZone: "America/New_York", unreadable: [] });
  // A line break inside a cell is "\n"; rows end with "\r\n".
  expect((await text(file)).split("\r\n")[1]).toBe(
    '"Ada Lovelace","ada@example.com","Engines Ltd","Family office","Clinical and administrative AI, Devices and diagnostics","Over $2 million","","I don’t qualify, or I’m not sure","Admitted","2026-11-19","2026-11-20","2026-11-20","","2026-11-24","7c0f0a52-9f0e-4b37-8f0c-2f6f1f2b7a11"',
  );
});
