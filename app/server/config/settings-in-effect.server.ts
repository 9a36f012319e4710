import { createHmac } from "node:crypto";
import { company } from "~/content/company";
import type { Settings } from "./settings.server";

/**
 * Lists the values in effect by setting, as texts. SITE_FACTS stands for the facts that were read, because a change of
 * that file needs a restart too; REPLY_DAYS is a setting of its own. DATA_DIR is left out, because one folder has many paths.
 */
export function listInEffect({ values }: Pick<Settings, "values">): Record<string, string> {
  const facts = { ...company, replyDays: undefined };
  const texts = Object.entries({ ...values, SITE_FACTS: facts })
    .filter(([name]) => name !== "DATA_DIR")
    .map(([name, value]) => [name, JSON.stringify(value) ?? ""]);
  return Object.fromEntries(texts) as Record<string, string>;
}

/**
 * Computes a keyed hash of each value, so that another process can find out which settings differ, and no value can be
 * guessed from its hash without the key.
 */
export function digestValues(texts: Readonly<Record<string, string>>, key: Buffer): Record<string, string> {
  const digest = (name: string, text: string) =>
    createHmac("sha256", key).update(`${name}=${text}`).digest("base64url");
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, digest(name, text)]));
}
