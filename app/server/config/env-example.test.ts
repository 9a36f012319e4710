import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { type AboutSetting, listSettings, sections } from "./setting-variables.server";

const header = `
# Every setting with its default. No setting is required: \`npm start\` runs without any.
# Copy this file to .env, or name another file in SITE_ENV. Variables of the environment win over the file, and an empty value counts
# as not set. A line such as #PORT=3000 shows a default: remove the # to change it. Put a value with spaces, #, $ or quotation marks
# between single quotation marks: '…'. The start names each invalid line and each unknown name.
# \`npx vitest run app/server/config/env-example.test.ts -u\` writes this file from setting-variables.server.ts beside that test.
`;

const footer = `
# Only for compose.yaml; the site does not read these: the version of the image (docs/operations/upgrade.md), and with the profile
# https behind a CDN the CDN's address ranges, separated by spaces.
#SITE_VERSION=
#CADDY_TRUSTED_PROXIES=
`;

it(".env.example has each setting's meaning and default", async () => {
  const about = new Map<string, AboutSetting>(listSettings());
  const meanings = readMeanings();
  const parts = Object.entries(sections).map(([title, settings]) => {
    const lines = Object.keys(settings).flatMap((name) => {
      const { unlessSet } = about.get(name) ?? {};
      const line = unlessSet === undefined ? `${name}=` : `#${name}=${unlessSet}`;
      const meaning = meanings.get(name);
      return meaning === undefined ? [line] : ["", ...wrap(meaning), line];
    });
    return [`\n# --- ${title} `.padEnd(121, "-"), ...lines.slice(1)].join("\n");
  });
  await expect(`${header.trimStart()}${parts.join("\n")}\n${footer}`).toMatchFileSnapshot("../../../.env.example");
});

/** Reads the doc comments of the settings, by name. */
function readMeanings(): Map<string, string> {
  const files = ["app/server/config/setting-variables.server.ts", "app/lib/backup-settings.ts"];
  const source = files.map((file) => readFileSync(file, "utf8")).join("\n");
  const found = source.matchAll(/^ {2}\/\*\*((?:(?!\*\/).)+)\*\/\n(?: {2}\/\/[^\n]*\n)? {2}([A-Z_]+):/gms);
  return new Map([...found].map(([, text = "", name = ""]) => [name, text.replaceAll(/^ {3}\*/gm, "").trim()]));
}

/** Wraps a text to comments of 130 characters at most. */
function wrap(text: string): string[] {
  return text.split(/\s+/).reduce<string[]>((lines, word) => {
    const last = lines.at(-1) ?? "#";
    const isFull = lines.length === 0 || last.length + word.length >= 130;
    return isFull ? [...lines, `# ${word}`] : [...lines.slice(0, -1), `${last} ${word}`];
  }, []);
}
