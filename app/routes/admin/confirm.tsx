import { type ActionFunctionArgs, type LoaderFunctionArgs, data } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { secondFactorPages } from "~/content/account/second-factor";
import { unlistedMetaFor } from "~/content/page-meta";
import { answerHeaders } from "~/lib/http/answer-headers";
import { AdminFrame } from "~/features/admin/shared/admin-frame";
import { describeRefusal } from "~/features/auth/second-factor/code-answer.server";
import { CodeForm } from "~/features/auth/second-factor/code-form";
import { confirmPassword } from "~/features/auth/password/confirm-password.server";
import { parseNext, recentMinutes } from "~/features/auth/sign-in/recent-sign-in.server";
import { answer503, hasSecondFactor, requireAdminOr503 } from "~/features/auth/require-admin.server";
import { secondFactorPaths } from "~/features/auth/second-factor/second-factor-paths";
import { verifyCode } from "~/features/auth/second-factor/second-factor.server";
import { redirectWithMessage } from "~/features/auth/signed-in.server";
import { adminAreaHandle } from "~/lib/pages/admin-area";
import { getSite } from "~/server/default-site.server";
import { guardPost } from "~/server/forms/guard.server";
import { ErrorSummary } from "~/ui/forms/error-summary";

const { confirm: copy, mistakes } = secondFactorPages;

export const meta = unlistedMetaFor(copy);

export const handle = adminAreaHandle;

/** Nothing of this page may stay in any cache. */
export const headers = () => ({ "Cache-Control": "no-store" });

/** Asks an admin again who they are, and leads back to what they were about to do. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { signedIn, setCookies } = await requireAdminOr503(getSite(context), request);
  const next = parseNext(new URL(request.url).searchParams.get("next"));
  return data(
    { next, asksCode: hasSecondFactor(signedIn.user), minutes: recentMinutes },
    {
      headers: answerHeaders(setCookies),
    },
  );
}

export async function action({ request, context }: ActionFunctionArgs) {
  const site = getSite(context);
  const { form, address } = await guardPost(request, context);
  const { signedIn, setCookies } = await requireAdminOr503(site, request);
  const asksCode = hasSecondFactor(signedIn.user);
  const typed = String(form.get("code") ?? "");
  const refuse = (text: string, status: number, more: Record<string, string> = {}) => {
    context.hasMistakes = true;
    const answer = answerHeaders(setCookies);
    for (const [name, value] of Object.entries(more)) answer.set(name, value);
    return data({ text }, { status, headers: answer });
  };
  if (typed.trim() === "") return refuse(asksCode ? mistakes.empty : mistakes.emptyPassword, 400);
  const checked = asksCode
    ? { ...(await answer503(verifyCode(site, signedIn, request, typed))), setCookies }
    : await answer503(confirmPassword(site, request, signedIn, typed, address));
  if (checked.result !== "right") {
    const refusal = describeRefusal(checked, asksCode ? mistakes.wrong : mistakes.wrongPassword);
    return refuse(refusal.text, refusal.status, refusal.headers);
  }
  const next = parseNext(new URL(request.url).searchParams.get("next"));
  return redirectWithMessage(site, next, "identityConfirmed", checked.setCookies);
}

export default function ConfirmPage() {
  const { next, asksCode, minutes } = useLoaderData<typeof loader>();
  const mistake = useActionData<typeof action>();
  return (
    <AdminFrame subtitle={copy.title} area="account" overdueRequests={null} generatedPasswordOf={null}>
      <ErrorSummary mistakes={mistake ? [{ controlId: "confirm", text: mistake.text }] : []} />
      <p className="max-w-[68ch]">{copy.text(minutes)}</p>
      <div className="max-w-md">
        <CodeForm
          action={`${secondFactorPaths.confirm}?next=${encodeURIComponent(next)}`}
          intent="confirm"
          kind={asksCode ? "one-time" : "password"}
          label={asksCode ? copy.code : copy.password}
          submit={copy.submit}
          error={mistake?.text}
        />
      </div>
      <p>
        <a href="/admin" className="inline-flex min-h-11 items-center">
          {copy.back}
        </a>
      </p>
    </AdminFrame>
  );
}
