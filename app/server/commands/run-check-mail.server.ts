import { OperationRefused } from "#supabase/embedded/operations/operation-refused";
import { printOutcome } from "#supabase/embedded/operations/run-operation";
import { readSettings } from "../config/read-settings.server";

const usage = "Usage: node bin/site.mjs check-mail [--selector <DKIM selector>]";

/**
 * Runs `check-mail` for the site that these variables configure, and prints the findings.
 * @param args command-line arguments after the command
 * @param environment variables by name
 * @returns the exit code: 0, or 1 if a finding is an error
 */
export async function runCheckMail(
  args: string[],
  environment: Record<string, string | undefined> = process.env,
): Promise<number> {
  return printOutcome(async () => {
    const [option, selector] = args;
    const isUsable =
      args.length === 0 || (args.length === 2 && option === "--selector" && /^[\w.-]+$/.test(selector ?? ""));
    if (!isUsable) throw new OperationRefused(usage);
    // Loaded on demand: it shares its build with the server, which does not need it.
    const { checkMail } = await import("./check-mail.server");
    return checkMail(readSettings(environment), selector);
  });
}
