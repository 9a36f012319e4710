import { siteVersion } from "~/lib/site-version";
import { printOutcome } from "#supabase/embedded/operations/run-operation";
import { readSettingsOnly } from "../config/read-settings.server";
import type { VariableInFile } from "../config/setting-names.server";
import { type AboutSetting, listSettings } from "../config/setting-variables.server";
import { describeUnread } from "../config/setup-warnings.server";

/**
 * Runs `settings`: prints each setting in effect and its source, without secrets, for a mail to somebody who helps.
 * @param namesInFile variables in the settings file
 * @returns the exit code: 0, or 1 if a start would refuse the settings; then only the mistakes are printed
 */
export async function printSettings(namesInFile: readonly VariableInFile[]): Promise<number> {
  return printOutcome(async () => {
    const { backend, unreadNames } = readSettingsOnly(process.env, namesInFile);
    const rows = listSettings()
      .filter(([, { only }]) => only === undefined || only === backend.kind)
      .map(([name, about]) => {
        const value = process.env[name]?.trim() ?? "";
        const inFile = namesInFile.find((one) => one.name === name);
        const source = inFile === undefined ? "environment" : describeSource(inFile);
        return [name, show(value, about), value === "" ? (about.unlessSet ? "default" : "") : source] as const;
      });
    const unread = describeUnread({ unreadNames });
    return [`Version ${siteVersion}`, ...alignColumns(rows), ...(unread === null ? [] : [unread])].join("\n");
  });
}

function describeSource({ place, isOverridden }: VariableInFile): string {
  return isOverridden ? `environment, which wins over ${place}` : place;
}

/** Shows a value without a secret: an address may contain a user and a password. */
function show(value: string, { isSecret, unlessSet = "not set" }: AboutSetting): string {
  if (value === "") return unlessSet;
  return isSecret ? "set" : value.replace(/^([a-z][a-z0-9+.-]*:\/\/).*@/is, "$1…@");
}

function alignColumns(rows: readonly (readonly [string, string, string])[]): string[] {
  const width = (at: 0 | 1) => Math.max(...rows.map((row) => row[at].length)) + 2;
  const [first, second] = [width(0), Math.min(width(1), 40)];
  return rows.map(([name, value, source]) => `${name.padEnd(first)}${value.padEnd(second - 2)}  ${source}`.trimEnd());
}
