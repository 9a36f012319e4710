import { type ActionFunctionArgs, type LoaderFunctionArgs, data, redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { messageTitles } from "~/content/messages";
import { unlistedMetaFor } from "~/content/page-meta";
import { CorrectAddress } from "~/features/admin/delivery/correct-address";
import { findMail, hurryMail, ownerAddress, resendMail, resendSchema } from "~/features/admin/delivery/delivery.server";
import { AdminFrame } from "~/features/admin/shared/admin-frame";
import { requireAdminOr503 } from "~/features/auth/require-admin.server";
import { ConfirmFirst } from "~/features/auth/sign-in/confirm-first";
import { hasRecentSignIn, requireRecent } from "~/features/auth/sign-in/recent-sign-in.server";
import { createAdminHeaders } from "~/lib/http/admin-headers";
import { adminAreaHandle } from "~/lib/pages/admin-area";
import { getSite } from "~/server/default-site.server";
import { askAboutAddress } from "~/server/forms/address-question.server";
import { guardPost } from "~/server/forms/guard.server";
import { parseFields } from "~/server/forms/parse-form.server";
import { Notice } from "~/ui/frame/notice";

const title = "Correct the address";

export const meta = unlistedMetaFor({ title });

export const handle = adminAreaHandle;

/** Keeps the page out of all caches. */
export const headers = () => ({ "Cache-Control": "no-store" });

export async function loader({ request, context, params }: LoaderFunctionArgs) {
  const { client, setCookies, generatedPasswordOf } = await requireAdminOr503(getSite(context), request);
  const mail = await requireMail(client, params.mailId);
  return data({ mail, owner: ownerAddress(mail), generatedPasswordOf }, { headers: createAdminHeaders(setCookies) });
}

/** Sends the mail again, to the same or a corrected address, or at once if it waits for the hourly limit, then redirects to what it belongs to. */
export async function action({ request, context, params }: ActionFunctionArgs) {
  const site = getSite(context);
  const { form } = await guardPost(request, context);
  const admin = await requireAdminOr503(site, request);
  const { client, setCookies } = admin;
  const mail = await requireMail(client, params.mailId);
  const isStale = mail.link !== null && !hasRecentSignIn(admin);
  const parsed = parseFields(form, resendSchema);
  const isCorrection = form.get("intent") === "correct";
  if (isStale && !isCorrection) requireRecent(admin, "/admin/people");
  const question = isCorrection ? askAboutAddress(form) : { text: null, asked: null };
  const mistake = parsed.success ? question.text : (parsed.error.issues[0]?.message ?? null);
  const refuse = (failure: { mistake: string | null; text: string | null; isStale?: boolean }, status: number) => {
    context.hasMistakes = true;
    const email = String(form.get("email") ?? "");
    return data({ ...failure, email, asked: question.asked }, { status, headers: createAdminHeaders(setCookies) });
  };
  if (isStale) return refuse({ mistake: null, text: null, isStale }, 403);
  if (!parsed.success || mistake !== null) {
    if (!isCorrection) throw new Response(null, { status: 400, statusText: "Bad Request" });
    return refuse({ mistake, text: null }, 400);
  }
  const { intent, seen } = parsed.data;
  const email = parsed.data.intent === "correct" ? parsed.data.email : undefined;
  const result = await (intent === "hurry"
    ? hurryMail(client, mail)
    : resendMail(client, mail, { email, seen }, site.settings.siteUrl));
  if (!result.ok) return refuse({ mistake: null, text: result.text }, result.status);
  const done = { hurry: "mailHurried", resend: "mailResent", correct: "mailCorrected" } as const;
  const address = site.notices.addTo(ownerAddress(mail), done[intent]);
  return redirect(address, { status: 303, headers: createAdminHeaders(setCookies) });
}

export default function CorrectAddressPage() {
  const { mail, owner, generatedPasswordOf } = useLoaderData<typeof loader>();
  const failed = useActionData<typeof action>() ?? null;
  return (
    <AdminFrame subtitle={title} area="submissions" overdueRequests={null} generatedPasswordOf={generatedPasswordOf}>
      {failed?.isStale ? <ConfirmFirst next={`/admin/mail/${mail.id}`} /> : null}
      {failed?.text ? <Notice tone="error" title={messageTitles.adminFailed} text={failed.text} /> : null}
      <CorrectAddress mail={mail} owner={owner} failed={failed} />
    </AdminFrame>
  );
}

async function requireMail(client: Parameters<typeof findMail>[0], id: string | undefined) {
  const parsed = z.uuid().safeParse(id);
  const found = parsed.success ? await findMail(client, parsed.data) : null;
  if (found?.ok === false) throw new Response(null, { status: found.status });
  if (!found?.data) throw new Response(null, { status: 404, statusText: "Not Found" });
  return found.data;
}
