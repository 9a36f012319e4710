import { z } from "zod";
import { unlistedMetaFor } from "~/content/page-meta";
import { type FailedSnippet, SnippetForms, snippetControls } from "~/features/admin/inbox/replies/snippet-forms";
import {
  changeSnippets,
  listSnippets,
  snippetFormSchema,
  snippetRefusals,
} from "~/features/admin/inbox/replies/snippets.server";
import { AdminFrame } from "~/features/admin/shared/admin-frame";
import { adminPage } from "~/features/admin/shared/admin-page";
import { UnreadableEntries } from "~/features/admin/shared/unreadable-entries";
import { Question } from "~/features/admin/shared/question";
import {
  adminAction,
  adminHeaders,
  adminLoader,
  badRequest,
  readText,
  requireData,
} from "~/features/auth/admin-page.server";
import { adminAreaHandle } from "~/lib/pages/admin-area";
import { parseFields } from "~/server/forms/parse-form.server";
import { ErrorSummary } from "~/ui/forms/error-summary";

const title = "Saved texts";
const path = "/admin/snippets";

export const meta = unlistedMetaFor({ title });

export const handle = adminAreaHandle;

export const headers = adminHeaders;

export const loader = adminLoader(async ({ client }) => ({ snippets: requireData(await listSnippets(client)) }));

/** Adds, changes or deletes a text, then redirects back to the page. A failure returns the typed text. */
export const action = adminAction<{ failed: FailedSnippet }>(
  async ({ form, admin, unconfirmed, show, leadTo }) => {
    const change = parseFields(form, snippetFormSchema);
    const keep = (mistakes: FailedSnippet["mistakes"], needsConfirmation = false): FailedSnippet => ({
      id: readText(form, "id") || null,
      name: readText(form, "name"),
      body: readText(form, "body"),
      mistakes,
      seen: readText(form, "seen") || undefined,
      needsConfirmation,
    });
    if (!change.success) {
      const { name, body, id, intent } = z.flattenError(change.error).fieldErrors as Record<
        string,
        string[] | undefined
      >;
      if (id || intent || form.get("intent") !== "save") throw badRequest();
      return show({ failed: keep({ name: name?.[0], body: body?.[0] }) }, 400);
    }
    if (change.data.intent === "delete" && unconfirmed)
      return show({ title: "Delete this text?", question: unconfirmed });
    const result = await changeSnippets(admin.client, change.data);
    if (result.ok) return leadTo(path, change.data.intent === "delete" ? "snippetDeleted" : "snippetSaved");
    const { text, status } = result;
    if (text === snippetRefusals.sameName) return show({ failed: keep({ name: text }) }, status);
    return show({ failed: keep({}, text === snippetRefusals.changed), failure: text }, status);
  },
  {
    texts: [
      { name: "name", label: "Name" },
      { name: "body", label: "Text", rows: 6 },
    ],
  },
);

export default adminPage<typeof loader, typeof action>(function SnippetsPage({ found: { snippets }, refused }) {
  const failed = refused?.failed ?? null;
  const fields = refused?.question;
  const deleted = snippets.find(({ id }) => fields?.some(({ name, value }) => name === "id" && value === id));
  const controls = snippetControls(failed?.id ?? null);
  const mistakes = (["name", "body"] as const).map((name) => ({
    controlId: controls[name],
    text: failed?.mistakes[name],
  }));
  return (
    <AdminFrame
      subtitle={title}
      area="submissions"
      question={
        fields && (
          <Question button="Delete" action={path}>
            <p className="font-semibold">{deleted?.name}</p>
            <p>Replies already sent with this text stay as they are.</p>
          </Question>
        )
      }
    >
      <ErrorSummary mistakes={mistakes} />
      <p className="max-w-[43.5em]">
        {"Texts to insert into replies. {name} becomes the sender’s first name. Don’t store personal data here."}
      </p>
      <SnippetForms snippets={snippets} failed={failed} />
      <UnreadableEntries />
    </AdminFrame>
  );
});
