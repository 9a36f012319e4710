import type { OperationName as DataOperation } from "#supabase/embedded/operations/run-operation";

/** What operators run beside the server: the commands of bin/site.mjs. */
export type OperationName = DataOperation | "privacy-pack" | "check-mail" | "check-content";

/**
 * Does one of them. This is a file of the build by itself (vite.config.ts), and each loads only what it needs: it says
 * something sooner, and a machine on which the server runs already has memory left for it.
 * @param words what stood on the command line behind the command
 * @returns the exit code
 */
export async function operate(name: OperationName, words: string[]): Promise<number> {
  switch (name) {
    case "privacy-pack":
      return (await import("./privacy-pack/run-privacy-pack.server")).runPrivacyPack(words);
    case "check-mail":
      return (await import("./run-check-mail.server")).runCheckMail(words);
    case "check-content":
      return (await import("./check-content.server")).runContentCheck(words);
    default:
      return (await import("#supabase/embedded/operations/run-operation")).runOperation(name, words);
  }
}
