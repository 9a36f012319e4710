import type { EnvFile } from "./doctor/settings-checks.server";
import type { OperationName as DataOperation } from "#supabase/embedded/operations/run-operation";

/** Commands that operators run next to the server, by bin/site.mjs. */
export type OperationName = DataOperation | "privacy-pack" | "words" | "doctor" | "settings" | "version";

/**
 * Runs a command. This is a separate file of the build (vite.config.ts), and each command loads only what it needs: it
 * starts faster, and needs little memory on a machine that also runs the server.
 * @param args command-line arguments after the command
 * @param envFile the settings file; only `doctor` runs despite mistakes in it
 * @returns the exit code
 */
export async function operate(name: OperationName, args: string[], envFile: EnvFile): Promise<number> {
  switch (name) {
    case "privacy-pack":
      return (await import("./privacy-pack/run-privacy-pack.server")).runPrivacyPack(args);
    case "words":
      return (await import("./words/run-words.server")).runWords(args);
    case "doctor":
      return (await import("./doctor/run-doctor.server")).runDoctor(args, process.env, envFile);
    case "settings":
      return (await import("./print-settings.server")).printSettings(envFile.names);
    case "version":
      console.log((await import("~/lib/site-version")).siteVersion);
      return 0;
    default:
      return (await import("#supabase/embedded/operations/run-operation")).runOperation(name, args);
  }
}
