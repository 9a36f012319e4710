import { z } from "zod";
import { type AdminClient, readAdmin } from "../shared/admin-call.server";

const answerTimesSchema = z.array(
  z.object({
    /** e.g. "2026-11", at the firm */
    month: z.string(),
    messages: z.number(),
    /** of those that are answered; null where none is */
    median_seconds: z.number().nullable(),
    in_time: z.number(),
    /** those that were answered or whose time is over: of these, `in_time` is a share */
    judged: z.number(),
  }),
);

/** How well the promise to reply was kept with the messages of one month. */
export type AnswerTimes = z.output<typeof answerTimesSchema>[number];

/** Reads the last thirteen months, the newest first; a month without messages is left out. */
export function readAnswerTimes(client: AdminClient) {
  return readAdmin(client, "answer_times", {}, answerTimesSchema);
}
