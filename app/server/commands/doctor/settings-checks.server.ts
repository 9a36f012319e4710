import { quotePath } from "~/lib/command-line";
import { isLoopback } from "~/lib/http/loopback";
import { findPasswordFault } from "~/lib/passwords/password-rule";
import { findPasswordWords } from "~/lib/passwords/password-words";
import type { VariableInFile } from "../../config/setting-names.server";
import { listSettings } from "../../config/setting-variables.server";
import { type Settings, SettingsError, parseSettings } from "../../config/settings.server";
import { listSetupWarnings } from "../../config/setup-warnings.server";
import { type Finding, fix, lookAt, ok, splitMessage } from "./finding.server";

/** The settings file as the program read it. */
export interface EnvFile {
  /** its variables */
  names: readonly VariableInFile[];
  /** message that lists its mistakes; null if it has none */
  mistakes: string | null;
}

const everySetting = "See .env.example, which has every setting.";

/**
 * Reads the settings as a start does, and finds every mistake that it would name, and every warning.
 * @returns null for the settings if they have mistakes
 */
export async function examineSettings(
  environment: Record<string, string | undefined>,
  { names, mistakes }: EnvFile,
): Promise<{ settings: Settings | null; findings: Finding[] }> {
  if (mistakes !== null) {
    const file = /^The file (.+) has /.exec(mistakes)?.[1];
    if (file === undefined) return { settings: null, findings: [fix("settings", ...splitMessage(mistakes))] };
    return { settings: null, findings: describeMistakes(mistakes, `Correct the file ${file}.`) };
  }
  try {
    const settings = parseSettings(environment, names);
    const findings = [
      ...listWarnings(settings),
      ...listOverridden(names),
      ...listReadableSecrets(names),
      ...(await checkPassword(settings)),
    ];
    return { settings, findings: findings.length > 0 ? findings : [ok("settings", "A start accepts all of them.")] };
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return { settings: null, findings: describeMistakes(error.message, everySetting) };
  }
}

/** Turns a message with one line per mistake into findings. */
export function describeMistakes(message: string, remedy: string, name = "settings"): Finding[] {
  const lines = message.split("\n").filter((line) => line.startsWith("- "));
  const texts = lines.length > 0 ? lines.map((line) => `${line.slice(2)}.`) : [message];
  return texts.map((text) => fix(name, text, remedy));
}

function listWarnings(settings: Settings): Finding[] {
  const warnings = listSetupWarnings(settings).map(({ text, see, isCertain }) =>
    (isCertain ? fix : lookAt)("settings", text, `See ${see}.`),
  );
  const { host, siteUrlIsExplicit } = settings;
  if (!siteUrlIsExplicit && !isLoopback(host))
    warnings.push(
      lookAt(
        "settings",
        `SITE_URL is not set, and with HOST=${host} other machines can reach the site under any name.`,
        "Set SITE_URL to the address that visitors type.",
      ),
    );
  return warnings;
}

/** Finds secrets in a file that every user of the machine may read. */
function listReadableSecrets(names: readonly VariableInFile[]): Finding[] {
  const secrets = new Set<string>(listSettings().flatMap(([name, { isSecret }]) => (isSecret ? [name] : [])));
  const open = names.filter(({ name, openFile }) => openFile !== null && secrets.has(name));
  if (open.length === 0) return [];
  const file = open[0]?.openFile ?? "";
  const text = `Every user of this machine may read ${file}, which holds ${open.map(({ name }) => name).join(", ")}.`;
  return [lookAt("settings", text, `Run \`chmod o-r ${quotePath(file)}\` as its owner.`)];
}

/** Values in the environment win over the file, which an operator who edits only the file does not see. */
function listOverridden(names: readonly VariableInFile[]): Finding[] {
  return names
    .filter(({ isOverridden }) => isOverridden)
    .map(({ name, place }) =>
      lookAt(
        "settings",
        `${name} has another value in the environment, which wins over ${place}.`,
        "Delete one of the two.",
      ),
    );
}

/** A start sets a changed ADMIN_PASSWORD, and refuses one that is easy to guess. */
async function checkPassword({ backend, siteUrl, mail }: Settings): Promise<Finding[]> {
  if (backend.kind === "hosted" || backend.adminPassword === undefined) return [];
  const words = findPasswordWords(backend.adminEmail, siteUrl, mail.firmName);
  const fault = await findPasswordFault(backend.adminPassword, words);
  return fault === null ? [] : [lookAt("settings", "A start refuses ADMIN_PASSWORD for a new account.", fault)];
}
