import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { messageTitles } from "~/content/messages";
import { unlistedMetaFor } from "~/content/page-meta";
import { CorrectAddress } from "~/features/admin/delivery/correct-address";
import { findMail, hurryMail, ownerAddress, resendMail, resendSchema } from "~/features/admin/delivery/delivery.server";
import { AdminFrame } from "~/features/admin/shared/admin-frame";
import {
  adminHeaders,
  badRequest,
  loadAdminPage,
  receiveAdminPost,
  requireData,
  requireId,
} from "~/features/auth/admin-page.server";
import { ConfirmFirst } from "~/features/auth/sign-in/confirm-first";
import { hasRecentSignIn, requireRecent } from "~/features/auth/sign-in/recent-sign-in.server";
import { adminAreaHandle } from "~/lib/pages/admin-area";
import { askAboutAddress } from "~/server/forms/address-question.server";
import { parseFields } from "~/server/forms/parse-form.server";
import { Notice } from "~/ui/frame/notice";

const title = "Correct the address";

export const meta = unlistedMetaFor({ title });

export const handle = adminAreaHandle;

export const headers = adminHeaders;

export function loader(args: LoaderFunctionArgs) {
  return loadAdminPage(args, async ({ client, params }) => {
    const mail = requireData(await findMail(client, requireId(params.mailId)));
    return { mail, owner: ownerAddress(mail) };
  });
}

/** Sends the mail again, to the same or a corrected address, or at once if it waits for the hourly limit, then redirects to what it belongs to. */
export async function action(args: ActionFunctionArgs) {
  const { params, site, form, admin, show, leadTo } = await receiveAdminPost(args);
  const { client } = admin;
  const mail = requireData(await findMail(client, requireId(params.mailId)));
  const isStale = mail.link !== null && !hasRecentSignIn(admin);
  const parsed = parseFields(form, resendSchema);
  const isCorrection = form.get("intent") === "correct";
  if (isStale && !isCorrection) requireRecent(admin, "/admin/people");
  const question = isCorrection ? askAboutAddress(form) : { text: null, asked: null };
  const mistake = parsed.success ? question.text : (parsed.error.issues[0]?.message ?? null);
  const refuse = (failure: { mistake: string | null; text: string | null; isStale?: boolean }, status: number) =>
    show({ ...failure, email: String(form.get("email") ?? ""), asked: question.asked }, status);
  if (isStale) return refuse({ mistake: null, text: null, isStale }, 403);
  if (!parsed.success || mistake !== null) {
    if (!isCorrection) throw badRequest();
    return refuse({ mistake, text: null }, 400);
  }
  const { intent, seen } = parsed.data;
  const email = parsed.data.intent === "correct" ? parsed.data.email : undefined;
  const result = await (intent === "hurry"
    ? hurryMail(client, mail)
    : resendMail(client, mail, { email, seen }, site.settings.siteUrl));
  if (!result.ok) return refuse({ mistake: null, text: result.text }, result.status);
  const done = { hurry: "mailHurried", resend: "mailResent", correct: "mailCorrected" } as const;
  return leadTo(ownerAddress(mail), done[intent]);
}

export default function CorrectAddressPage() {
  const { mail, owner, generatedPasswordOf } = useLoaderData<typeof loader>();
  const failed = useActionData<typeof action>() ?? null;
  return (
    <AdminFrame subtitle={title} area="submissions" generatedPasswordOf={generatedPasswordOf}>
      {failed?.isStale ? <ConfirmFirst next={`/admin/mail/${mail.id}`} /> : null}
      {failed?.text ? <Notice tone="error" title={messageTitles.adminFailed} text={failed.text} /> : null}
      <CorrectAddress mail={mail} owner={owner} failed={failed} />
    </AdminFrame>
  );
}
