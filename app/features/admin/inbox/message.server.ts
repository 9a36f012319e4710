import { z } from "zod";
import { dataRightsFormTypes } from "#supabase/functions/_shared/data-rights-request";
import { type AdminResult, type AdminClient, readAdmin } from "../shared/admin-call.server";
import { type InboxRow, withTimeLeft } from "./inbox.server";
import { submissionSchema } from "./submissions.server";

const messageSchema = submissionSchema.extend({
  /** of the signed-in admin, for a reply; may be empty */
  signature: z.string(),
  replies: z.array(
    z.object({
      id: z.string(),
      written_at: z.string(),
      body: z.string(),
      by: z.string().nullable(),
      delivery: z.enum(["waiting", "sent", "given-up"]).nullable(),
      /** time until which the reply can be taken back; null if it cannot */
      leaves_at: z.string().nullable(),
      code: z.string().nullable(),
    }),
  ),
  undelivered: z.array(
    z.object({
      id: z.string(),
      kind: z.string(),
      code: z.string().nullable(),
      recipient: z.string().nullable(),
      gave_up_at: z.string().nullable(),
    }),
  ),
  draft: z.object({ saved_at: z.string(), body: z.string(), by: z.string().nullable() }).nullable(),
  events: z.array(z.object({ at: z.string(), action: z.string(), by: z.string().nullable() })),
  others: z.array(
    submissionSchema.pick({ id: true, created_at: true, goal: true, state: true, quarantine_reason: true }),
  ),
  requests: z.array(
    z.object({ id: z.string(), reference: z.string(), request_type: z.enum(dataRightsFormTypes), state: z.string() }),
  ),
});

/** A message with its replies, reply draft, log, and the other messages and requests from its sender's address. */
export type Message = InboxRow & Omit<z.output<typeof messageSchema>, keyof InboxRow>;

/** Finds one message. `data` is null if it does not exist or its use is restricted. */
export async function findMessage(client: AdminClient, id: string): Promise<AdminResult<Message | null>> {
  const found = await readAdmin(client, "find_submission", { submission_id: id }, messageSchema.nullable());
  if (!found.ok) return found;
  return { ok: true, data: found.data && { ...found.data, ...withTimeLeft(found.data) } };
}
