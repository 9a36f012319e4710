import { parseWithZod } from "@conform-to/zod/v4";
import { type ActionFunctionArgs, type LoaderFunctionArgs, data, redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { adminPage } from "~/content/account/admin";
import { messageTitles } from "~/content/messages";
import { unlistedMetaFor } from "~/content/page-meta";
import { changeSubmission, submissionChangeSchema } from "~/features/admin/inbox/change-submission.server";
import { findMessage } from "~/features/admin/inbox/message.server";
import { MessageView } from "~/features/admin/inbox/message-view";
import { AdminFrame } from "~/features/admin/shared/admin-frame";
import { requireAdminOr503 } from "~/features/auth/require-admin.server";
import { answerHeaders } from "~/lib/http/answer-headers";
import { adminAreaHandle } from "~/lib/pages/admin-area";
import { getSite } from "~/server/default-site.server";
import { guardPost } from "~/server/forms/guard.server";
import { Notice } from "~/ui/frame/notice";

export const meta = unlistedMetaFor(adminPage);

export const handle = adminAreaHandle;

/** Nothing of this page may stay in any cache. */
export const headers = () => ({ "Cache-Control": "no-store" });

export async function loader({ request, context, params }: LoaderFunctionArgs) {
  const { client, setCookies, generatedPasswordOf } = await requireAdminOr503(getSite(context), request);
  const id = z.uuid().safeParse(params.submissionId);
  if (!id.success) throw new Response(null, { status: 404, statusText: "Not Found" });
  const found = await findMessage(client, id.data);
  if (!found.ok) throw new Response(null, { status: found.status });
  if (!found.data) throw new Response(null, { status: 404, statusText: "Not Found" });
  return data({ message: found.data, generatedPasswordOf }, { headers: answerHeaders(setCookies) });
}

/** Changes the message and leads back to it, or to the list when it is gone. */
export async function action({ request, context, params }: ActionFunctionArgs) {
  const site = getSite(context);
  const { form } = await guardPost(request, context);
  const { client, setCookies } = await requireAdminOr503(site, request);
  const submission = parseWithZod(form, { schema: submissionChangeSchema });
  if (submission.status !== "success" || submission.value.id !== params.submissionId)
    throw new Response(null, { status: 400, statusText: "Bad Request" });
  const answer = await changeSubmission(client, submission.value);
  if (!answer.ok) return data({ failure: answer.text }, { status: answer.status, headers: answerHeaders(setCookies) });
  const cookies = [...setCookies, await site.flash.set(answer.data)];
  const isGone = submission.value.intent === "delete";
  const address = isGone ? "/admin" : `/admin/messages/${submission.value.id}`;
  return redirect(address, { status: 303, headers: answerHeaders(cookies) });
}

export default function AdminMessagePage() {
  const { message, generatedPasswordOf } = useLoaderData<typeof loader>();
  const failed = useActionData<typeof action>();
  return (
    <AdminFrame
      subtitle={adminPage.messageFrom(message.name)}
      area="submissions"
      overdueRequests={null}
      generatedPasswordOf={generatedPasswordOf}
    >
      {failed ? <Notice tone="error" title={messageTitles.adminFailed} text={failed.failure} /> : null}
      <MessageView message={message} />
    </AdminFrame>
  );
}
