import { existsSync } from "node:fs";

/**
 * Runs one of the operator's commands from the server's build, which carries them: an image holds nothing else. Ends
 * the process with the command's exit code.
 * @param {"backup" | "verify-backup" | "restore" | "move-to-supabase" | "admin"} name
 */
export async function operate(name) {
  if (existsSync(".env")) process.loadEnvFile(".env");
  const file = new URL("../build/server/index.js", import.meta.url);
  if (!existsSync(file)) {
    console.error("There is no build yet: run `npm run build` first.");
    process.exit(1);
  }
  const build = await import(file.href);
  process.exit(await build.entry.module.runOperation(name, process.argv.slice(2)));
}
