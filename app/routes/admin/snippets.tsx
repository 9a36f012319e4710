import { type ActionFunctionArgs, type LoaderFunctionArgs, data, redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { snippetsPage } from "~/content/account/snippets";
import { messageTitles } from "~/content/messages";
import { unlistedMetaFor } from "~/content/page-meta";
import { type FailedSnippet, SnippetForms, snippetControls } from "~/features/admin/inbox/snippet-forms";
import { changeSnippets, listSnippets, snippetFormSchema, snippetLimits } from "~/features/admin/inbox/snippets.server";
import { AdminFrame } from "~/features/admin/shared/admin-frame";
import { requireAdminOr503 } from "~/features/auth/require-admin.server";
import { answerHeaders } from "~/lib/http/answer-headers";
import { adminAreaHandle } from "~/lib/pages/admin-area";
import { getSite } from "~/server/default-site.server";
import { guardPost } from "~/server/forms/guard.server";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { Notice } from "~/ui/frame/notice";

export const meta = unlistedMetaFor(snippetsPage);

export const handle = adminAreaHandle;

/** Nothing of this page may stay in any cache. */
export const headers = () => ({ "Cache-Control": "no-store" });

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { client, setCookies, generatedPasswordOf } = await requireAdminOr503(getSite(context), request);
  const snippets = await listSnippets(client);
  if (!snippets.ok) throw new Response(null, { status: snippets.status });
  return data(
    { snippets: snippets.data, limits: snippetLimits, hasMistakes: context.hasMistakes === true, generatedPasswordOf },
    { headers: answerHeaders(setCookies) },
  );
}

/** Adds, changes or deletes a text, and leads back to the page. */
export async function action({ request, context }: ActionFunctionArgs) {
  const site = getSite(context);
  const { form } = await guardPost(request, context);
  const { client, setCookies } = await requireAdminOr503(site, request);
  const change = snippetFormSchema.safeParse(Object.fromEntries(form));
  if (!change.success) {
    const { name, body, id, intent } = z.flattenError(change.error).fieldErrors as Record<string, string[] | undefined>;
    if (id || intent || form.get("intent") !== "save")
      throw new Response(null, { status: 400, statusText: "Bad Request" });
    context.hasMistakes = true;
    const failed = keepSnippet(form, { name: name?.[0], body: body?.[0] });
    return data({ failed, failure: null }, { status: 400, headers: answerHeaders(setCookies) });
  }
  const answer = await changeSnippets(client, change.data);
  if (!answer.ok) {
    context.hasMistakes = true;
    const isOfName = answer.text === snippetsPage.sameName;
    const refused = {
      failed: keepSnippet(form, isOfName ? { name: answer.text } : {}),
      failure: isOfName ? null : answer.text,
    };
    return data(refused, { status: answer.status, headers: answerHeaders(setCookies) });
  }
  const done = change.data.intent === "delete" ? "snippetDeleted" : "snippetSaved";
  const cookies = [...setCookies, await site.flash.set(done)];
  return redirect("/admin/snippets", { status: 303, headers: answerHeaders(cookies) });
}

function keepSnippet(form: FormData, mistakes: FailedSnippet["mistakes"]): FailedSnippet {
  const typed = (name: string) => String(form.get(name) ?? "");
  return { id: typed("id") || null, name: typed("name"), body: typed("body"), mistakes };
}

export default function SnippetsPage() {
  const { snippets, limits, generatedPasswordOf } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const failed = refused?.failed ?? null;
  const controls = snippetControls(failed?.id ?? null);
  const mistakes = (["name", "body"] as const).flatMap((name) => {
    const text = failed?.mistakes[name];
    return text ? [{ controlId: controls[name], text }] : [];
  });
  return (
    <AdminFrame
      subtitle={snippetsPage.title}
      area="submissions"
      overdueRequests={null}
      generatedPasswordOf={generatedPasswordOf}
    >
      {refused?.failure ? <Notice tone="error" title={messageTitles.adminFailed} text={refused.failure} /> : null}
      <ErrorSummary mistakes={mistakes} />
      <p className="max-w-[68ch]">{snippetsPage.lead}</p>
      <SnippetForms snippets={snippets} limits={limits} failed={failed} />
    </AdminFrame>
  );
}
