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
  const message = found?.ok ? found.data : null;
  const submission = message && {
    id: message.id,
    version: message.version,
    name: message.name,
    state: message.state,
    quarantine_reason: message.quarantine_reason,
  };
  return { key, fallback: messages[key], submission };
}

const isInboxMessage = (key: string | undefined): key is InboxMessageKey => inboxMessages.some((name) => name === key);
