import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { messageTitles } from "~/content/messages";
import { unlistedMetaFor } from "~/content/page-meta";
import {
  type FailedSnippet,
  SnippetForm,
  SnippetForms,
  snippetControls,
} from "~/features/admin/inbox/replies/snippet-forms";
import {
  changeSnippets,
  listSnippets,
  snippetFormSchema,
  snippetLimits,
  snippetRefusals,
} from "~/features/admin/inbox/replies/snippets.server";
import { UnsentText } from "~/features/admin/shared/unsent-text";
import { AdminFrame } from "~/features/admin/shared/admin-frame";
import { UnreadableEntries } from "~/features/admin/shared/unreadable-entries";
import { Question, type QuestionField } from "~/features/admin/shared/question";
import { findQuestion } from "~/features/admin/shared/question.server";
import {
  adminHeaders,
  badRequest,
  findAdminPage,
  receiveTypedText,
  requireData,
} from "~/features/auth/admin-page.server";
import { adminAreaHandle } from "~/lib/pages/admin-area";
import { parseFields } from "~/server/forms/parse-form.server";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { Notice } from "~/ui/frame/notice";

const title = "Saved texts";
const path = "/admin/snippets";

export const meta = unlistedMetaFor({ title });

export const handle = adminAreaHandle;

export const headers = adminHeaders;

export function loader(args: LoaderFunctionArgs) {
  return findAdminPage(args, async ({ client }) => ({ snippets: requireData(await listSnippets(client)) }), {
    limits: snippetLimits,
  });
}

interface Refused {
  failed: FailedSnippet | null;
  failure: string | null;
  question: QuestionField[] | null;
}

/** Adds, changes or deletes a text, then redirects back to the page. A failure returns the typed text. */
export async function action(args: ActionFunctionArgs) {
  const { form, admin, show, leadTo } = await receiveTypedText(args, (posted) => posted.get("intent") === "save");
  const refuse = (why: Partial<Refused>, status?: number) =>
    show<Refused>({ failed: null, failure: null, question: null, ...why }, status);
  if ("failure" in admin) return refuse({ failed: readFailedSnippet(form, {}), failure: admin.failure }, admin.status);
  const change = parseFields(form, snippetFormSchema);
  if (!change.success) {
    const { name, body, id, intent } = z.flattenError(change.error).fieldErrors as Record<string, string[] | undefined>;
    if (id || intent || form.get("intent") !== "save") throw badRequest();
    return refuse({ failed: readFailedSnippet(form, { name: name?.[0], body: body?.[0] }) }, 400);
  }
  const question = change.data.intent === "delete" ? findQuestion(form) : null;
  if (question) return refuse({ question });
  const result = await changeSnippets(admin.client, change.data);
  if (result.ok) return leadTo(path, change.data.intent === "delete" ? "snippetDeleted" : "snippetSaved");
  const { text, status } = result;
  const isOfName = text === snippetRefusals.sameName;
  const failed = readFailedSnippet(form, isOfName ? { name: text } : {}, text === snippetRefusals.changed);
  return refuse({ failed, failure: isOfName ? null : text }, status);
}

function readFailedSnippet(
  form: FormData,
  mistakes: FailedSnippet["mistakes"],
  needsConfirmation = false,
): FailedSnippet {
  const typed = (name: string) => String(form.get(name) ?? "");
  return {
    id: typed("id") || null,
    name: typed("name"),
    body: typed("body"),
    mistakes,
    seen: typed("seen") || undefined,
    needsConfirmation,
  };
}

export default function SnippetsPage() {
  const { found, limits } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const failed = refused?.failed ?? null;
  if (found === null) {
    return (
      failed && (
        <UnsentText title="Nothing was saved" failure={refused?.failure ?? null}>
          <SnippetForm
            id={failed.id}
            typed={failed}
            seen={failed.seen}
            limits={limits}
            submit={failed.id === null ? "Add" : "Save"}
          />
        </UnsentText>
      )
    );
  }
  const { snippets, unreadable, generatedPasswordOf } = found;
  const question = refused?.question ?? null;
  if (question) {
    return (
      <AdminFrame subtitle={title} area="submissions">
        <Question title="Delete this text?" button="Delete" action={path} fields={question} back={path}>
          <p className="font-semibold">{question.find(({ name }) => name === "name")?.value}</p>
          <p>Replies already sent with this text stay as they are.</p>
        </Question>
      </AdminFrame>
    );
  }
  const controls = snippetControls(failed?.id ?? null);
  const mistakes = (["name", "body"] as const).flatMap((name) => {
    const text = failed?.mistakes[name];
    return text ? [{ controlId: controls[name], text }] : [];
  });
  return (
    <AdminFrame subtitle={title} area="submissions" generatedPasswordOf={generatedPasswordOf}>
      {refused?.failure ? <Notice tone="error" title={messageTitles.adminFailed} text={refused.failure} /> : null}
      <ErrorSummary mistakes={mistakes} />
      <p className="max-w-[43.5em]">
        {"Texts to insert into replies. {name} becomes the sender’s first name. Don’t store personal data here."}
      </p>
      <SnippetForms snippets={snippets} limits={limits} failed={failed} />
      <UnreadableEntries ids={unreadable} />
    </AdminFrame>
  );
}
