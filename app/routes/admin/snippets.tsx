import { type ActionFunctionArgs, type LoaderFunctionArgs, data, redirect } from "@remix-run/node";
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
import { UnsentText, unsentReason } from "~/features/admin/shared/unsent-text";
import { AdminFrame } from "~/features/admin/shared/admin-frame";
import { UnreadableEntries } from "~/features/admin/shared/unreadable-entries";
import { Question } from "~/features/admin/shared/question";
import { findQuestion } from "~/features/admin/shared/question.server";
import { findWriter } from "~/features/auth/find-writer.server";
import { requireAdminOr503 } from "~/features/auth/require-admin.server";
import { createAdminHeaders } from "~/lib/http/admin-headers";
import { adminAreaHandle } from "~/lib/pages/admin-area";
import { getSite } from "~/server/default-site.server";
import { guardPost } from "~/server/forms/guard.server";
import { parseFields } from "~/server/forms/parse-form.server";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { Notice } from "~/ui/frame/notice";

const title = "Saved texts";
const path = "/admin/snippets";

export const meta = unlistedMetaFor({ title });

export const handle = adminAreaHandle;

/** Keeps the page out of all caches. */
export const headers = () => ({ "Cache-Control": "no-store" });

/**
 * Loads the texts. After a refused post, texts that cannot be loaded are left out, so that the page can return the
 * typed text.
 */
export async function loader(args: LoaderFunctionArgs) {
  try {
    return await loadSnippets(args);
  } catch (refusal) {
    if (args.context.hasMistakes && refusal instanceof Response)
      return data({ snippets: null, unreadable: [], limits: snippetLimits, generatedPasswordOf: null });
    throw refusal;
  }
}

async function loadSnippets({ request, context }: LoaderFunctionArgs) {
  const { client, setCookies, generatedPasswordOf } = await requireAdminOr503(getSite(context), request);
  const snippets = await listSnippets(client);
  if (!snippets.ok) throw new Response(null, { status: snippets.status });
  return data(
    { snippets: snippets.data, unreadable: client.unreadable, limits: snippetLimits, generatedPasswordOf },
    { headers: createAdminHeaders(setCookies) },
  );
}

/**
 * Adds, changes or deletes a text, then redirects back to the page. A failure returns the typed text, even if the
 * session has ended.
 */
export async function action({ request, context }: ActionFunctionArgs) {
  const site = getSite(context);
  const { form } = await guardPost(request, context);
  const admin =
    form.get("intent") === "save" ? await findWriter(site, request) : await requireAdminOr503(site, request);
  if ("needsSignIn" in admin) {
    context.hasMistakes = true;
    const { needsSignIn, status, setCookies } = admin;
    return data(
      { failed: readFailedSnippet(form, {}), failure: unsentReason(admin), needsSignIn, question: null },
      { status, headers: createAdminHeaders(setCookies) },
    );
  }
  const { client, setCookies } = admin;
  const change = parseFields(form, snippetFormSchema);
  if (!change.success) {
    const { name, body, id, intent } = z.flattenError(change.error).fieldErrors as Record<string, string[] | undefined>;
    if (id || intent || form.get("intent") !== "save")
      throw new Response(null, { status: 400, statusText: "Bad Request" });
    context.hasMistakes = true;
    const failed = readFailedSnippet(form, { name: name?.[0], body: body?.[0] });
    return data(
      { failed, failure: null, needsSignIn: false, question: null },
      { status: 400, headers: createAdminHeaders(setCookies) },
    );
  }
  const question = change.data.intent === "delete" ? findQuestion(form) : null;
  if (question) {
    const asked = { failed: null, failure: null, needsSignIn: false, question };
    return data(asked, { headers: createAdminHeaders(setCookies) });
  }
  const result = await changeSnippets(client, change.data);
  if (!result.ok) {
    context.hasMistakes = true;
    const isOfName = result.text === snippetRefusals.sameName;
    const refused = {
      failed: readFailedSnippet(form, isOfName ? { name: result.text } : {}, result.text === snippetRefusals.changed),
      failure: isOfName ? null : result.text,
      needsSignIn: false,
      question: null,
    };
    return data(refused, { status: result.status, headers: createAdminHeaders(setCookies) });
  }
  const done = change.data.intent === "delete" ? "snippetDeleted" : "snippetSaved";
  return redirect(site.notices.addTo(path, done), {
    status: 303,
    headers: createAdminHeaders(setCookies),
  });
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
  const { snippets, unreadable, limits, generatedPasswordOf } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const failed = refused?.failed ?? null;
  if (snippets === null) {
    return (
      failed && (
        <UnsentText
          title="Nothing was saved"
          failure={refused?.failure ?? null}
          needsSignIn={refused?.needsSignIn === true}
        >
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
  const question = refused?.question ?? null;
  if (question) {
    return (
      <AdminFrame subtitle={title} area="submissions" overdueRequests={null} generatedPasswordOf={null}>
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
    <AdminFrame subtitle={title} area="submissions" overdueRequests={null} generatedPasswordOf={generatedPasswordOf}>
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
