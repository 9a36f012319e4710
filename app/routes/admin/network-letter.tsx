import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
  type SerializeFrom,
  data,
  redirect,
} from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import type { MessageKey, NoticeRules } from "~/content/messages";
import { unlistedMetaFor } from "~/content/page-meta";
import { keepPost } from "~/features/admin/shared/kept-post.server";
import { type KeptPost, KeptPostPage } from "~/features/admin/shared/kept-post";
import { UnsentText, unsentReason } from "~/features/admin/shared/unsent-text";
import { type RefusedDraft, keepDraft, saveDraft } from "~/features/admin/network/letters/letter-draft.server";
import { LetterForm } from "~/features/admin/network/letters/letter-form";
import { LetterPage } from "~/features/admin/network/letters/letter-page";
import { checkPath, letterPath, lettersPath } from "~/features/admin/network/letters/letter-words";
import { requireLetter } from "~/features/admin/network/letters/letters.server";
import { deleteLetter, resendLetter, stopLetter } from "~/features/admin/network/letters/send-letter.server";
import type { QuestionField } from "~/features/admin/shared/question";
import { findQuestion } from "~/features/admin/shared/question.server";
import { findWriter } from "~/features/auth/find-writer.server";
import { requireAdminOr503 } from "~/features/auth/require-admin.server";
import { createAdminHeaders } from "~/lib/http/admin-headers";
import { adminAreaHandle } from "~/lib/pages/admin-area";
import { getSite } from "~/server/default-site.server";
import { guardPost } from "~/server/forms/guard.server";

// The subject is in no title: browsers keep those.
export const meta: MetaFunction<typeof loader> = (page) =>
  unlistedMetaFor({ title: page.data?.title ?? "Letter" })(page);

const notices: NoticeRules<SerializeFrom<typeof loader>> = {
  letterSaved: ({ found }) => found?.letter?.state === "draft",
  letterIncomplete: ({ found }) => found?.letter?.state === "draft",
  letterSent: ({ found }) => found?.letter?.state === "sending",
  letterResent: ({ found }) => found?.letter?.state === "sending",
  letterStopped: ({ found }) => found?.letter?.state === "stopped",
};
export const handle = { ...adminAreaHandle, notices };

/** Keeps the page out of all caches. */
export const headers = () => ({ "Cache-Control": "no-store" });

/** Loads the letter. After a refused draft, one that cannot be loaded is left out, so that the page returns the text. */
export async function loader(args: LoaderFunctionArgs) {
  try {
    return await loadLetter(args);
  } catch (refusal) {
    if (args.context.hasMistakes && refusal instanceof Response) return data({ title: "Letter", found: null });
    throw refusal;
  }
}

async function loadLetter({ request, context, params }: LoaderFunctionArgs) {
  const { client, setCookies, generatedPasswordOf } = await requireAdminOr503(getSite(context), request);
  const letter = params.letterId === "new" ? null : await requireLetter(client, params.letterId);
  const title =
    letter === null ? "New letter" : letter.state === "draft" ? "Draft of a letter" : "Letter to the network";
  const found = { letter, newId: crypto.randomUUID(), generatedPasswordOf };
  return data({ title, found }, { headers: createAdminHeaders(setCookies) });
}

/** Data of a refused post, or of one that leads to a question. */
interface Refused {
  id: string;
  isNew: boolean;
  draft: RefusedDraft | null;
  needsSignIn: boolean;
  failure: string | null;
  question: QuestionField[] | null;
  /** a post without a draft, in case the letter can no longer be shown */
  kept: KeptPost | null;
}

/** Saves or deletes the draft, or stops the letter, then redirects. A draft that is not saved comes back in its form. */
export async function action({ request, context, params }: ActionFunctionArgs) {
  const site = getSite(context);
  const { form } = await guardPost(request, context);
  const isNew = params.letterId === "new";
  const id = z.uuid().safeParse(isNew ? form.get("letter") : params.letterId).data;
  const intent = form.get("intent");
  const isDraft = intent === "save" || intent === "check";
  const change =
    typeof intent === "string" && Object.hasOwn(changes, intent) ? changes[intent as keyof typeof changes] : null;
  if (id === undefined || !(isDraft || change)) throw new Response(null, { status: 400, statusText: "Bad Request" });
  const writer = isDraft ? await findWriter(site, request) : await requireAdminOr503(site, request);
  const nothing: Refused = { id, isNew, draft: null, needsSignIn: false, failure: null, question: null, kept: null };
  const refuse = (refused: Partial<Refused>, status: number) => {
    context.hasMistakes = status >= 400;
    return data({ ...nothing, ...refused }, { status, headers: createAdminHeaders(writer.setCookies) });
  };
  const leadTo = (address: string, key?: MessageKey) =>
    redirect(key === undefined ? address : site.notices.addTo(address, key), {
      status: 303,
      headers: createAdminHeaders(writer.setCookies),
    });
  if ("needsSignIn" in writer) {
    const { needsSignIn, status } = writer;
    return refuse({ draft: keepDraft(form, { failure: unsentReason(writer) }), needsSignIn }, status);
  }
  const { client } = writer;
  if (isDraft) {
    const saved = await saveDraft(client, id, isNew, form);
    if ("next" in saved) return saved.next === "check" ? leadTo(checkPath(id)) : leadTo(letterPath(id), "letterSaved");
    const { refused: draft, status } = saved;
    return draft.isGone ? refuse({ draft, id: crypto.randomUUID(), isNew: true }, status) : refuse({ draft }, status);
  }
  await requireLetter(client, id);
  // To send again loses nothing, so no question comes first.
  const question = intent === "resend" ? null : findQuestion(form);
  if (question) return refuse({ question }, 200);
  if (!change) throw new Response(null, { status: 400, statusText: "Bad Request" });
  const result = await change.run(client, id);
  if (!result.ok) {
    const { status, text: failure } = result;
    return refuse({ failure, kept: keepPost(form, { failure }) }, status);
  }
  return leadTo(change.next(id), change.notice);
}

/** Posts that change a stored letter, by intent. */
const changes = {
  delete: { run: deleteLetter, next: () => lettersPath, notice: "letterDeleted" },
  stop: { run: stopLetter, next: letterPath, notice: "letterStopped" },
  resend: { run: resendLetter, next: letterPath, notice: "letterResent" },
} as const;

export default function AdminLetterPage() {
  const { title, found } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>() ?? null;
  if (found !== null) return <LetterPage title={title} {...found} refused={refused} />;
  if (refused?.kept)
    return (
      <KeptPostPage
        kept={refused.kept}
        action={letterPath(refused.id)}
        list={{ label: "Go to the letters", path: lettersPath }}
      />
    );
  return (
    refused?.draft && (
      <UnsentText title="Nothing was saved" failure={refused.draft.failure} needsSignIn={refused.needsSignIn}>
        <LetterForm
          id={refused.id}
          isNew={refused.isNew}
          input={refused.draft.isGone ? { ...refused.draft, seen: undefined } : refused.draft}
        />
      </UnsentText>
    )
  );
}
