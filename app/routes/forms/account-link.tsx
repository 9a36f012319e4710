import { type ActionFunctionArgs, type LoaderFunctionArgs, data } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { accountLinkPage } from "~/content/pages/account-link";
import { AccountLinkProblem, accountLinkMeta } from "~/features/auth/password/account-link-problem";
import {
  chosenPasswordSchema,
  redeemAccountLink,
  requireAccountLink,
} from "~/features/auth/password/account-link.server";
import { ChoosePasswordForm } from "~/features/auth/password/choose-password-form";
import { passHeaders } from "~/lib/pages/route-headers";
import { getSite } from "~/server/default-site.server";
import {
  createLinkRefusal,
  guardLinkPost,
  guardLinkVisit,
  leadToLinkPage,
  linkPageHeaders,
  refuseLink,
  showLinkPage,
} from "~/server/forms/secret-link.server";
import { parseFields } from "~/server/forms/parse-form.server";

export const headers = passHeaders;

export const meta = accountLinkMeta;

/** Shows the form and changes nothing, because email scanners follow links. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const token = await guardLinkVisit(request, context);
  const link = await requireAccountLink(getSite(context), token);
  return showLinkPage({ token, link });
}

/**
 * Sets the password and redirects to the sign-in page. The link opens no session and does not check a second factor.
 */
export async function action({ request, context }: ActionFunctionArgs) {
  const site = getSite(context);
  const { token, form } = await guardLinkPost(request, context);
  const refuse = (status: number, mistakes: Partial<Record<"password" | "repeated", string | undefined>>) => {
    context.hasMistakes = true;
    return data(mistakes, { status, headers: linkPageHeaders });
  };
  const chosen = parseFields(form, chosenPasswordSchema);
  if (!chosen.success) {
    const find = (name: string) => chosen.error.issues.find(({ path }) => path[0] === name)?.message;
    return refuse(400, { password: find("password"), repeated: find("repeated") });
  }
  const redemption = await redeemAccountLink(site, token, chosen.data.password);
  if (redemption.outcome === "refused") return refuse(400, { password: redemption.fault });
  if (redemption.outcome === "unavailable") throw createLinkRefusal(503);
  if (redemption.outcome === "gone") return refuseLink();
  const message = redemption.purpose === "invitation" ? "invitationAccepted" : "passwordRenewed";
  return leadToLinkPage(context, "/login", message);
}

export const ErrorBoundary = AccountLinkProblem;

export default function AccountLinkPage() {
  const { token, link } = useLoaderData<typeof loader>();
  const mistakes = useActionData<typeof action>() ?? {};
  return (
    <div className="wrap py-12 *:max-w-lg md:py-20">
      <ChoosePasswordForm token={token} email={link.email} mistakes={mistakes}>
        <h1 className="mt-6 text-(length:--text-title)">{accountLinkPage.title}</h1>
        <p className="mt-5 wrap-anywhere">{accountLinkPage.leads[link.purpose](link.email)}</p>
      </ChoosePasswordForm>
    </div>
  );
}
