import { fstatSync } from "node:fs";
import { afterEach, expect, it, vi } from "vitest";
import { parseSettings } from "../config/settings.server";
import { describeStart, writesToJournal } from "./startup-banner.server";

const settings = parseSettings({});
const firstAdmin = { email: "admin@firm.example", password: "generated-password" };

afterEach(() => void vi.unstubAllEnvs());

it("shows a generated password once, on a terminal or in a container's log", () => {
  const lines = describeStart(settings, 3000, firstAdmin);
  expect(lines).toContain("password generated-password");
  expect(lines).toContain("Shown only now");
});

it("keeps the password out of systemd's journal, and names the command that prints a link", () => {
  const lines = describeStart(settings, 3000, firstAdmin, true);
  expect(lines).not.toContain("generated-password");
  expect(lines).toContain("node bin/site.mjs admin new-password-link admin@firm.example");
});

it("warns about a missing SITE_URL if other machines can reach the server", () => {
  const warning = "Warning: SITE_URL is not set, and with HOST=0.0.0.0 other machines can reach";
  expect(describeStart(parseSettings({ HOST: "0.0.0.0" }), 3000, null)).toContain(warning);
  expect(describeStart(settings, 3000, null)).not.toContain("Warning");
});

it("recognizes the journal by the stream that systemd names, and no stream of another process", () => {
  expect(writesToJournal()).toBe(false);
  const { dev, ino } = fstatSync(1);
  vi.stubEnv("JOURNAL_STREAM", `${dev}:${ino + 1}`);
  expect(writesToJournal()).toBe(false);
  vi.stubEnv("JOURNAL_STREAM", `${dev}:${ino}`);
  expect(writesToJournal()).toBe(true);
});
