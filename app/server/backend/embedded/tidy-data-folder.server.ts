import { join } from "node:path";
import type { EmbeddedBackend } from "#supabase/embedded/embedded-backend";
import { mailFolder, removeMailFilesWithoutMail } from "#supabase/embedded/folder/mail-files";
import { type Log, describeError } from "../../observability/log.server";
import type { EmbeddedSettings } from "./embedded-start.server";

/** The functions of the database by which an admin deletes mails. */
const deleting = /\/rest\/v1\/rpc\/(?:erase_subject|delete_submission)$/;

/** Whether mails may be gone once this call of the backend has succeeded. */
export function mayDeleteMails(input: Parameters<typeof fetch>[0]): boolean {
  return deleting.test(new URL(input instanceof Request ? input.url : input).pathname);
}

/**
 * Makes what deletes from the data folder whatever the database no longer holds: after each erasure, with each run of
 * retention, and so soon after each start, because a crash may have come in between. A failure is logged, never thrown.
 */
export function createTidying(
  { dataDir }: Pick<EmbeddedSettings, "dataDir">,
  { sql }: Pick<EmbeddedBackend, "sql">,
  log: Log,
): () => Promise<void> {
  return async () => {
    try {
      await removeMailFilesWithoutMail(join(dataDir, mailFolder), sql);
    } catch (error) {
      log.error({ event: "data-folder.not-tidied", ...describeError(error) });
    }
  };
}
