import { z } from "zod";
import { type AdminClient, readAdmin } from "../shared/admin-call.server";

const answerTimesSchema = z.array(
  z.object({
    /** e.g. "2026-11", in the firm's time zone */
    month: z.string(),
    messages: z.number(),
    /** median of answered messages; null if none is answered */
    median_seconds: z.number().nullable(),
    in_time: z.number(),
    /** messages that were answered or are late; `in_time` is a share of these */
    judged: z.number(),
  }),
);

/** Response times to the messages of one month, measured against the reply promise. */
export type AnswerTimes = z.output<typeof answerTimesSchema>[number];

/** Reads the last thirteen months, newest first, without months that had no messages. */
export function readAnswerTimes(client: AdminClient) {
  return readAdmin(client, "answer_times", {}, answerTimesSchema);
}
