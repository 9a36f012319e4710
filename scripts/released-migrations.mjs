import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";

const folder = "supabase/migrations";

/** Lists the migrations with their SHA-256, as `sha256sum` does, so that it can compare them, too. */
export function digestMigrations() {
  const names = readdirSync(folder).filter((name) => name.endsWith(".sql"));
  const lines = names.toSorted().map((name) => {
    const digest = createHash("sha256").update(readFileSync(`${folder}/${name}`));
    return `${digest.digest("hex")}  ${folder}/${name}\n`;
  });
  return lines.join("");
}
