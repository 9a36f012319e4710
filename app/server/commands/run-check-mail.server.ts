import { OperationRefused } from "#supabase/embedded/operations/operation-refused";
import { tellOutcome } from "#supabase/embedded/operations/run-operation";
import { readSettings } from "../config/read-settings.server";

const usage = "Usage: npm run check:mail [-- --selector <name of the DKIM key>]";

/**
 * Does `check-mail` for the site that these variables set up, and tells the operator what came of it.
 * @param args what stood on the command line behind the command
 * @param environment variables by name
 * @returns the exit code: 0, or 1 when something has to be mended
 */
export async function runCheckMail(
  args: string[],
  environment: Record<string, string | undefined> = process.env,
): Promise<number> {
  return tellOutcome(async () => {
    const [option, selector] = args;
    const isUsable =
      args.length === 0 || (args.length === 2 && option === "--selector" && /^[\w.-]+$/.test(selector ?? ""));
    if (!isUsable) throw new OperationRefused(usage);
    // Loaded only when it is asked for: the server, in whose build it travels, needs none of it.
    const { checkMail } = await import("./check-mail.server");
    return checkMail(readSettings(environment), selector);
  });
}
