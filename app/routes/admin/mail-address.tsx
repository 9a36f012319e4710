import { unlistedMetaFor } from "~/content/page-meta";
import { CorrectAddress } from "~/features/admin/delivery/correct-address";
import { findMail, hurryMail, resendMail, resendSchema } from "~/features/admin/delivery/delivery.server";
import { findOwner } from "~/features/admin/delivery/mail-words";
import { AdminFrame } from "~/features/admin/shared/admin-frame";
import { adminPage } from "~/features/admin/shared/admin-page";
import {
  adminAction,
  adminHeaders,
  adminLoader,
  badRequest,
  requireData,
  requireId,
} from "~/features/auth/admin-page.server";
import { hasRecentSignIn, requireRecent } from "~/features/auth/sign-in/recent-sign-in.server";
import { adminAreaHandle } from "~/lib/pages/admin-area";
import { askAboutAddress } from "~/server/forms/address-question.server";
import { parseFields } from "~/server/forms/parse-form.server";
import type { AskedAddress } from "~/lib/pages/questioned-address";

const title = "Correct the address";

export const meta = unlistedMetaFor({ title });

export const handle = adminAreaHandle;

export const headers = adminHeaders;

export const loader = adminLoader(async ({ client, params }) => ({
  mail: requireData(await findMail(client, requireId(params.mailId))),
}));

/** Sends the mail again, to the same or a corrected address, or at once if it waits for the hourly limit, then redirects to what it belongs to. */
export const action = adminAction<{ email: string; mistake: string | null; asked: AskedAddress | null }>(
  async ({ params, site, form, admin, show, leadTo }) => {
    const { client } = admin;
    const mail = requireData(await findMail(client, requireId(params.mailId)));
    const isStale = mail.link !== null && !hasRecentSignIn(admin);
    const parsed = parseFields(form, resendSchema);
    const isCorrection = form.get("intent") === "correct";
    if (isStale && !isCorrection) requireRecent(admin, "/admin/people");
    const question = isCorrection ? askAboutAddress(form) : { text: null, asked: null };
    const typed = { email: String(form.get("email") ?? ""), asked: question.asked };
    if (isStale) return show({ ...typed, isStale }, 403);
    const mistake = parsed.success ? question.text : (parsed.error.issues[0]?.message ?? null);
    if (!parsed.success || mistake !== null) {
      if (!isCorrection) throw badRequest();
      return show({ ...typed, mistake }, 400);
    }
    const { intent, seen } = parsed.data;
    const email = parsed.data.intent === "correct" ? parsed.data.email : undefined;
    const result = await (intent === "hurry"
      ? hurryMail(client, mail)
      : resendMail(client, mail, { email, seen }, site.settings.siteUrl));
    if (!result.ok) return show({ ...typed, failure: result.text }, result.status);
    const done = { hurry: "mailHurried", resend: "mailResent", correct: "mailCorrected" } as const;
    return leadTo(findOwner(mail)?.path ?? "/admin/mail", done[intent]);
  },
);

export default adminPage<typeof loader, typeof action>(function CorrectAddressPage({ found: { mail }, refused }) {
  return (
    <AdminFrame subtitle={title} area="submissions">
      <CorrectAddress mail={mail} failed={refused} />
    </AdminFrame>
  );
});
