import { z } from "zod";
import { type InboxMessageKey, type Message, inboxMessages, messages } from "~/content/messages";
import type { Notices } from "~/server/notices.server";
import type { AdminClient } from "../shared/admin-call.server";
import { findMessage } from "./message.server";
import type { Submission } from "./submissions.server";

/** A change to name above the list. */
export interface ShownChange {
  key: InboxMessageKey;
  /** words without a name, for a message that no longer exists */
  fallback: Message;
  submission: Pick<Submission, "id" | "version" | "name" | "state" | "quarantine_reason"> | null;
  /** the reply that can still be taken back; null if none can */
  reply: string | null;
}

/** Finds the change that the address announces: its notice has the kind, and `changed` the id of the message. */
export async function findShownChange(
  client: AdminClient,
  notices: Notices,
  request: Request,
): Promise<ShownChange | null> {
  const key = notices.findFor(request)?.key;
  if (!isInboxMessage(key)) return null;
  const id = z.uuid().safeParse(new URL(request.url).searchParams.get("changed"));
  const found = id.success ? await findMessage(client, id.data) : null;
  if (!found?.ok || found.data === null) return { key, fallback: messages[key], submission: null, reply: null };
  const { id: messageId, version, name, state, quarantine_reason, replies } = found.data;
  const reply = replies.find(({ leaves_at }) => leaves_at !== null)?.id ?? null;
  return {
    key,
    fallback: messages[key],
    submission: { id: messageId, version, name, state, quarantine_reason },
    reply,
  };
}

const isInboxMessage = (key: string | undefined): key is InboxMessageKey => inboxMessages.some((name) => name === key);
