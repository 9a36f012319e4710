import { afterEach, expect, it, vi } from "vitest";
import { commandLine, quotePath } from "./command-line";

afterEach(() => void vi.unstubAllEnvs());

it.each([
  [undefined, "restore b --replace", "node bin/site.mjs restore b --replace"],
  ["site", "restore b --replace", "site restore b --replace"],
  ["npm run", "backup", "npm run backup"],
  ["DATA_DIR=/d npm run", "restore b --replace", "DATA_DIR=/d npm run restore -- b --replace"],
  ["docker compose run --rm site", "restore b", "docker compose run --rm site restore b"],
  ["docker compose run --rm site", "doctor --json", "docker compose exec site node bin/site.mjs doctor --json"],
])("names commands with SITE_COMMAND=%s: %s", (program, words, line) => {
  vi.stubEnv("SITE_COMMAND", program);
  expect(commandLine(words)).toBe(line);
});

it.each([
  ["/var/lib/site/backup-1.tar.gz", "/var/lib/site/backup-1.tar.gz"],
  ["/srv/My site/$b", "'/srv/My site/$b'"],
  ["/it's", String.raw`'/it'\''s'`],
])("quotes %s for a shell where needed", (path, quoted) => {
  expect(quotePath(path)).toBe(quoted);
});
