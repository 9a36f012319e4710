import { parseWithZod } from "@conform-to/zod/v4";
import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, data, redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { messageTitles } from "~/content/messages";
import { unlistedMetaFor } from "~/content/page-meta";
import { changeMember, memberFormSchema } from "~/features/admin/network/change-member.server";
import { MemberFacts } from "~/features/admin/network/member-facts";
import { MemberForms, noteId } from "~/features/admin/network/member-forms";
import { EventItems, MemberLog } from "~/features/admin/network/member-log";
import { networkPath, networkUrl } from "~/features/admin/network/network-filters";
import { findMember } from "~/features/admin/network/network.server";
import { stateTabs } from "~/features/admin/network/network-words";
import { AdminFrame } from "~/features/admin/shared/admin-frame";
import { Question } from "~/features/admin/shared/question";
import { findQuestion } from "~/features/admin/shared/question.server";
import { requireAdminOr503 } from "~/features/auth/require-admin.server";
import { createAdminHeaders } from "~/lib/http/admin-headers";
import { adminAreaHandle } from "~/lib/pages/admin-area";
import { shortName } from "~/lib/short-name";
import { getSite } from "~/server/default-site.server";
import { guardPost } from "~/server/forms/guard.server";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { Notice } from "~/ui/frame/notice";

const fallbackTitle = "Investor network";

export const meta: MetaFunction<typeof loader> = (page) => {
  const name = page.data?.member.name;
  return unlistedMetaFor({ title: name === undefined ? fallbackTitle : `Investor ${shortName(name)}` })(page);
};

export const handle = adminAreaHandle;

/** Keeps the page out of all caches. */
export const headers = () => ({ "Cache-Control": "no-store" });

export async function loader({ request, context, params }: LoaderFunctionArgs) {
  const { client, setCookies, generatedPasswordOf } = await requireAdminOr503(getSite(context), request);
  const member = await requireMember(client, params.memberId);
  return data({ member, generatedPasswordOf }, { headers: createAdminHeaders(setCookies) });
}

/** Reviews or removes the member, or sends their link, then redirects back to the page, or to the list. */
export async function action({ request, context, params }: ActionFunctionArgs) {
  const site = getSite(context);
  const { form } = await guardPost(request, context);
  const { client, setCookies } = await requireAdminOr503(site, request);
  const member = await requireMember(client, params.memberId);
  const submission = parseWithZod(form, { schema: memberFormSchema });
  const sent = { text: String(form.get("text") ?? ""), mistake: null, failure: null, entries: null, question: null };
  const refuse = (why: { mistake?: string; failure?: string; entries?: number | null }, status: number) => {
    context.hasMistakes = true;
    return data({ ...sent, ...why }, { status, headers: createAdminHeaders(setCookies) });
  };
  if (submission.status !== "success") {
    const mistake = submission.error?.text?.[0];
    if (mistake === undefined) throw new Response(null, { status: 400, statusText: "Bad Request" });
    return refuse({ mistake }, 400);
  }
  const question = submission.value.intent === "remove" ? findQuestion(form) : null;
  if (question) return data({ ...sent, question }, { headers: createAdminHeaders(setCookies) });
  const result = await changeMember(client, site.settings.siteUrl, member, submission.value);
  if (!result.ok) return refuse({ failure: result.text, entries: readEntries(form) }, result.status);
  const next = submission.value.intent === "remove" ? networkPath : `${networkPath}/${member.id}`;
  const address = site.notices.addTo(next, result.data);
  return redirect(address, { status: 303, headers: createAdminHeaders(setCookies) });
}

export default function AdminMemberPage() {
  const { member, generatedPasswordOf } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>() ?? null;
  const address = `${networkPath}/${member.id}`;
  const list = networkUrl({ state: member.state, kind: null, field: null, page: 1 });
  const { failure = null, mistake = null, entries = null, question = null } = refused ?? {};
  const newEvents = entries === null ? [] : member.events.slice(entries);
  return (
    <AdminFrame
      subtitle={<bdi>{member.name}</bdi>}
      area="network"
      overdueRequests={null}
      generatedPasswordOf={generatedPasswordOf}
      ways={
        <nav aria-label="Investor network" className="message-ways">
          <a href={list}>{`← ${stateTabs[member.state]}`}</a>
        </nav>
      }
    >
      {question ? (
        <Question
          title="Remove from the network?"
          button="Remove permanently"
          action={address}
          fields={question}
          back={address}
        >
          <p>
            <bdi>{member.name}</bdi>, {member.email}
          </p>
          <p>
            This permanently deletes their details, log, links and waiting emails of the network from this site. Only a
            code made from the address stays. Their messages stay, too. No email is sent.
          </p>
        </Question>
      ) : (
        <>
          {failure === null ? null : (
            <Notice tone="error" title={messageTitles.adminFailed} text={failure}>
              {newEvents.length === 0 ? null : <EventItems events={newEvents} />}
            </Notice>
          )}
          <ErrorSummary mistakes={mistake === null ? [] : [{ controlId: noteId, text: mistake }]} />
          <div className="request-page">
            <div className="request-record">
              <MemberFacts member={member} />
              <MemberLog {...member} />
            </div>
            <MemberForms action={address} member={member} failed={refused} />
          </div>
        </>
      )}
    </AdminFrame>
  );
}

/** Reads how many entries of the log the form's page showed. The ones after them are new. */
function readEntries(form: FormData): number | null {
  const entries = z
    .string()
    .regex(/^\d{1,9}$/)
    .safeParse(form.get("entries"));
  return entries.success ? Number(entries.data) : null;
}

async function requireMember(client: Parameters<typeof findMember>[0], id: string | undefined) {
  const parsed = z.uuid().safeParse(id);
  const found = parsed.success ? await findMember(client, parsed.data) : null;
  if (found?.ok === false) throw new Response(null, { status: found.status });
  if (!found?.data) throw new Response(null, { status: 404, statusText: "Not Found" });
  return found.data;
}
