import type { OperationName as DataOperation } from "#supabase/embedded/operations/run-operation";

/** What operators run beside the server: the commands of bin/site.mjs. */
export type OperationName = DataOperation | "privacy-pack" | "check-mail" | "check-content";

/**
 * Does one of them. This is a file of the build by itself (vite.config.ts), and each loads only what it needs: it says
 * something sooner, and a machine on which the server runs already has memory left for it.
 * @param args what stood on the command line behind the command
 * @returns the exit code
 */
export async function operate(name: OperationName, args: string[]): Promise<number> {
  switch (name) {
    case "privacy-pack":
      return (await import("./privacy-pack/run-privacy-pack.server")).runPrivacyPack(args);
    case "check-mail":
      return (await import("./run-check-mail.server")).runCheckMail(args);
    case "check-content":
      return (await import("./check-content.server")).runContentCheck(args);
    default:
      return (await import("#supabase/embedded/operations/run-operation")).runOperation(name, args);
  }
}
