import { z } from "zod";
import { type MessageKey, unsentReasons } from "~/content/messages";
import { paragraphs } from "#supabase/functions/_shared/form-text";
import { countCharacters, firstCharacters, isOversized, tooLong, tooLongToKeep } from "~/lib/characters";
import { greetingName } from "~/lib/greeting-name";
import { type AdminResult, type AdminClient, callAdmin } from "../../shared/admin-call.server";
import { changedSinceShown, seenVersion } from "../../shared/seen.server";
import { type Message, findMessage } from "../message.server";
import { replyMail } from "./reply-mail.server";
import { insertAboveSignature, isUnwritten } from "./signature";
import { listSnippets } from "./snippets.server";

/** Most characters of a reply. The database counts the same. */
const replyLimit = 10_000;

/** State of the reply form after a post, with all typed text. */
export interface ReplyFormState extends ReplyPost {
  /** true if a colleague changed the message meanwhile: the form asks, then uses the version shown now */
  needsConfirmation: boolean;
  /** mistakes in the text and in the choice of a snippet */
  mistakes: { text?: string | undefined; snippet?: string | undefined };
}

/** Result of a post: a message for the next page, or the form again. */
export type ReplyOutcome = { done: MessageKey } | { formState: ReplyFormState; failure?: string; status: number };

/** Parses a post of the reply form. Returns null for any other form. */
export function findReplyPost(form: FormData): ReplyPost | null {
  const parsed = replyFormSchema.safeParse(Object.fromEntries(form));
  return parsed.success ? parsed.data : null;
}

const replyFormSchema = z.object({
  intent: z.enum(["send", "saveDraft", "insert"]),
  /** id of the form, which identifies a second post of it */
  reply: z.uuid(),
  // As in the page: a control that begins with a line break loses it when it comes back as "\r\n".
  text: z
    .string()
    .default("")
    .transform((typed) => typed.replaceAll("\r\n", "\n")),
  snippet: z.string().default(""),
  /** version of the message that the form was shown with */
  seen: seenVersion,
});

/** A post of the reply form, with its text as it was typed. */
export type ReplyPost = z.output<typeof replyFormSchema>;

const replyText = paragraphs("your reply", replyLimit);

const takeBackSchema = z.object({ intent: z.literal("takeBack"), reply: z.uuid() });

/**
 * Takes a reply back whose mail has not left yet.
 * @returns null for any other form; else a message for the message's page, or the failure
 */
export async function takeReplyBack(
  client: AdminClient,
  id: string,
  form: FormData,
): Promise<{ done: MessageKey } | { failure: string; status: number } | null> {
  const parsed = takeBackSchema.safeParse(Object.fromEntries(form));
  if (!parsed.success) return null;
  const call = { submission_id: id, reply_id: parsed.data.reply };
  const result = await callAdmin(client, "take_back_reply", call, z.boolean());
  if (!result.ok) return { failure: result.text, status: result.status };
  return { done: result.data ? "replyTakenBack" : "replyLeft" };
}

/** Builds the form state that returns a post with all its text. */
const toFormState = (post: ReplyPost, why: Partial<Pick<ReplyFormState, "mistakes" | "needsConfirmation">>) => ({
  ...post,
  needsConfirmation: false,
  mistakes: {},
  ...why,
});

/** `pauseMs`: milliseconds in which a reply can be taken back; `timeZone`: for the day in its quotation */
interface ReplyMailOptions {
  timeZone: string;
  pauseMs: number;
}

/** Sends a reply, saves a draft or inserts a snippet, with the rights of the signed-in admin. */
export async function handleReply(
  client: AdminClient,
  id: string,
  post: ReplyPost,
  { timeZone, pauseMs }: ReplyMailOptions,
): Promise<ReplyOutcome> {
  if (isOversized(post.text, replyLimit)) {
    const mistakes = { text: tooLongToKeep("your reply", post.text, replyLimit) };
    return {
      formState: toFormState({ ...post, text: firstCharacters(post.text, replyLimit) }, { mistakes }),
      status: 400,
    };
  }
  const found = await findMessage(client, id);
  if (!found.ok) return refuse(post, found);
  if (!found.data) return refuse(post, { status: 404, text: unsentReasons.gone });
  const { signature } = found.data;
  if (post.intent === "insert") return insertSnippet(client, found.data, post);

  // A form that was only signed has no words: it is not sent, and saving it as a draft deletes the draft.
  const typed = isUnwritten(post.text, signature) ? "" : post.text;
  const isEmptyDraft = post.intent === "saveDraft" && typed === "";
  const text = replyText.safeParse(typed);
  if (!text.success && !isEmptyDraft) {
    return { formState: toFormState(post, { mistakes: { text: text.error.issues[0]?.message } }), status: 400 };
  }
  const words = text.data ?? "";
  if (post.intent === "saveDraft") {
    const draft = { submission_id: id, draft: words };
    const result = await callAdmin(client, "save_reply_draft", draft, z.unknown(), meanwhile, post.seen);
    return result.ok ? { done: isEmptyDraft ? "draftDeleted" : "draftSaved" } : refuse(post, result);
  }
  if (wasSent(found.data, words)) return { done: "replySent" };
  // Back leads to the form as it was before its reply was sent. Its next post is a separate reply.
  const isOwnForm = found.data.replies.some(({ id: sent }) => sent === post.reply);
  if (isOwnForm) return refuse({ ...post, reply: crypto.randomUUID() }, { status: 409, text: otherReply });
  const result = await callAdmin(
    client,
    "send_reply",
    {
      submission_id: id,
      reply_id: post.reply,
      reply: words,
      mail: { ...replyMail(found.data, timeZone), after_ms: pauseMs },
    },
    z.boolean(),
    { ...meanwhile, "23505": { status: 409, text: otherReply } },
    post.seen,
  );
  return result.ok ? { done: "replySent" } : refuse(post, result);
}

/**
 * Checks if the same text went to the sender within a day. A form reached with the Back button has the same text and a
 * new id, and sending it again must not write a second mail (decision 6). A reply whose mail was given up may be sent
 * again.
 */
function wasSent({ replies }: Message, words: string): boolean {
  const yesterday = Date.now() - 24 * 60 * 60 * 1000;
  return replies.some(
    ({ body, written_at, delivery }) => body === words && delivery !== "given-up" && Date.parse(written_at) > yesterday,
  );
}

function refuse(post: ReplyPost, { status, text }: { status: number; text: string }): ReplyOutcome {
  return {
    formState: toFormState(post, { needsConfirmation: text === changed || text === otherReply }),
    failure: text,
    status,
  };
}

const changed =
  "Someone on your team changed this message while the page was open. The current version is above your text.";
const meanwhile = { [changedSinceShown]: { status: 409, text: changed } };
const otherReply =
  "You have already sent a reply with this form, so this text was not sent. To send it as a second reply, press the button again.";

/** Adds a snippet below the typed text. */
async function insertSnippet(
  client: AdminClient,
  { name, signature }: Message,
  post: ReplyPost,
): Promise<ReplyOutcome> {
  const snippets: AdminResult<{ id: string; body: string }[]> = await listSnippets(client);
  if (!snippets.ok) return refuse(post, snippets);
  const chosen = snippets.data.find(({ id }) => id === post.snippet);
  if (!chosen)
    return { formState: toFormState(post, { mistakes: { snippet: "Choose the text to insert" } }), status: 400 };
  const addition = chosen.body.replaceAll("{name}", () => greetingName(name));
  const text = insertAboveSignature(post.text, signature, addition);
  if (countCharacters(text) > replyLimit) {
    const mistake = `This text would make the reply too long. ${tooLong("your reply", text, replyLimit)}`;
    return { formState: toFormState(post, { mistakes: { snippet: mistake } }), status: 400 };
  }
  return { formState: toFormState({ ...post, text }, {}), status: 200 };
}
