import type { DataRightsRequestRecord } from "./requests.server";

type RequestMail = DataRightsRequestRecord["mails"][number];

/**
 * Finds the replies to a request that were refused or wait after a failure, the newest first. A refused one counts
 * while the request is open and no later reply was handed over.
 */
export function findUndelivered({
  mails,
  closed_at,
}: Pick<DataRightsRequestRecord, "mails" | "closed_at">): RequestMail[] {
  const answers = mails.filter(({ kind }) => kind === "request-answer");
  const isNeeded = (mail: RequestMail) =>
    mail.gave_up_at === null
      ? mail.code !== null
      : closed_at === null &&
        !answers.some((later) => later.delivered_at !== null && later.created_at > mail.created_at);
  return answers.filter((mail) => mail.delivered_at === null && isNeeded(mail)).toReversed();
}
