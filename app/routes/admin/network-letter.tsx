import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction, SerializeFrom } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import type { NoticeRules } from "~/content/messages";
import { unlistedMetaFor } from "~/content/page-meta";
import { keepPost } from "~/features/admin/shared/kept-post.server";
import { type KeptPost, KeptPostPage } from "~/features/admin/shared/kept-post";
import { UnsentText } from "~/features/admin/shared/unsent-text";
import { type RefusedDraft, keepDraft, saveDraft } from "~/features/admin/network/letters/letter-draft.server";
import { LetterForm } from "~/features/admin/network/letters/letter-form";
import { LetterPage } from "~/features/admin/network/letters/letter-page";
import { checkPath, letterPath, lettersPath } from "~/features/admin/network/letters/letter-words";
import { findLetter } from "~/features/admin/network/letters/letters.server";
import { deleteLetter, resendLetter, stopLetter } from "~/features/admin/network/letters/send-letter.server";
import type { QuestionField } from "~/features/admin/shared/question";
import { findQuestion } from "~/features/admin/shared/question.server";
import {
  adminHeaders,
  badRequest,
  findAdminPage,
  receiveTypedText,
  requireData,
  requireId,
} from "~/features/auth/admin-page.server";
import { adminAreaHandle } from "~/lib/pages/admin-area";

// The subject is in no title: browsers keep those.
export const meta: MetaFunction<typeof loader> = (page) =>
  unlistedMetaFor({ title: page.data?.found?.title ?? "Letter" })(page);

const notices: NoticeRules<SerializeFrom<typeof loader>> = {
  letterSaved: ({ found }) => found?.letter?.state === "draft",
  letterIncomplete: ({ found }) => found?.letter?.state === "draft",
  letterSent: ({ found }) => found?.letter?.state === "sending",
  letterResent: ({ found }) => found?.letter?.state === "sending",
  letterStopped: ({ found }) => found?.letter?.state === "stopped",
};
export const handle = { ...adminAreaHandle, notices };

export const headers = adminHeaders;

export function loader(args: LoaderFunctionArgs) {
  return findAdminPage(args, async ({ client, params }) => {
    const isNew = params.letterId === "new";
    const letter = isNew ? null : requireData(await findLetter(client, requireId(params.letterId)));
    const title =
      letter === null ? "New letter" : letter.state === "draft" ? "Draft of a letter" : "Letter to the network";
    return { title, letter, newId: crypto.randomUUID() };
  });
}

/** Data of a refused post, or of one that leads to a question. */
interface Refused {
  id: string;
  isNew: boolean;
  draft: RefusedDraft | null;
  failure: string | null;
  question: QuestionField[] | null;
  /** a post without a draft, in case the letter can no longer be shown */
  kept: KeptPost | null;
}

/** Saves or deletes the draft, or stops the letter, then redirects. A draft that is not saved comes back in its form. */
export async function action(args: ActionFunctionArgs) {
  const { params, form, admin, show, leadTo } = await receiveTypedText(args, isDraft);
  const isNew = params.letterId === "new";
  const id = z.uuid().safeParse(isNew ? form.get("letter") : params.letterId).data;
  const intent = form.get("intent");
  const change =
    typeof intent === "string" && Object.hasOwn(changes, intent) ? changes[intent as keyof typeof changes] : null;
  if (id === undefined || !(isDraft(form) || change)) throw badRequest();
  const nothing: Refused = { id, isNew, draft: null, failure: null, question: null, kept: null };
  const refuse = (why: Partial<Refused>, status?: number) => show({ ...nothing, ...why }, status);
  if ("failure" in admin) return refuse({ draft: keepDraft(form, { failure: admin.failure }) }, admin.status);
  const { client } = admin;
  if (!change) {
    const saved = await saveDraft(client, id, isNew, form);
    if ("next" in saved) return saved.next === "check" ? leadTo(checkPath(id)) : leadTo(letterPath(id), "letterSaved");
    const { refused: draft, status } = saved;
    return draft.isGone ? refuse({ draft, id: crypto.randomUUID(), isNew: true }, status) : refuse({ draft }, status);
  }
  requireData(await findLetter(client, id));
  // To send again loses nothing, so no question comes first.
  const question = intent === "resend" ? null : findQuestion(form);
  if (question) return refuse({ question });
  const result = await change.run(client, id);
  if (!result.ok) return refuse({ failure: result.text, kept: keepPost(form, result.text) }, result.status);
  return leadTo(change.next(id), change.notice);
}

/** Returns true for a form with the text of a letter. */
function isDraft(form: FormData): boolean {
  const intent = form.get("intent");
  return intent === "save" || intent === "check";
}

/** Posts that change a stored letter, by intent. */
const changes = {
  delete: { run: deleteLetter, next: () => lettersPath, notice: "letterDeleted" },
  stop: { run: stopLetter, next: letterPath, notice: "letterStopped" },
  resend: { run: resendLetter, next: letterPath, notice: "letterResent" },
} as const;

export default function AdminLetterPage() {
  const { found } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>() ?? null;
  if (found !== null) return <LetterPage {...found} refused={refused} />;
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
      <UnsentText title="Nothing was saved" failure={refused.draft.failure}>
        <LetterForm
          id={refused.id}
          isNew={refused.isNew}
          input={refused.draft.isGone ? { ...refused.draft, seen: undefined } : refused.draft}
        />
      </UnsentText>
    )
  );
}
