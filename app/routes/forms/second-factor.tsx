import { type ActionFunctionArgs, type LoaderFunctionArgs, data, redirect } from "@remix-run/node";
import { useActionData } from "@remix-run/react";
import { z } from "zod";
import { codeField } from "#supabase/functions/_shared/form-text";
import { secondFactorPages } from "~/content/pages/second-factor";
import { unlistedMetaFor } from "~/content/page-meta";
import { createAdminHeaders } from "~/lib/http/admin-headers";
import { describeRefusal } from "~/features/auth/second-factor/code-refusal.server";
import { badRequest, createResponses } from "~/features/auth/admin-page.server";
import { CodeForm } from "~/features/auth/second-factor/code-form";
import { secondFactorPaths } from "~/lib/pages/second-factor-paths";
import { redeemCode, verifyCode } from "~/features/auth/second-factor/second-factor.server";
import { setKnownDevice } from "~/features/auth/sign-in/known-device.server";
import { redirectWithMessage, requireSignedIn } from "~/features/auth/signed-in.server";
import { passHeaders } from "~/lib/pages/route-headers";
import { getSite } from "~/server/default-site.server";
import { guardPost } from "~/server/forms/guard.server";
import { parseFields } from "~/server/forms/parse-form.server";
import { ErrorSummary } from "~/ui/forms/error-summary";

const { challenge: copy, mistakes } = secondFactorPages;

export const headers = passHeaders;

export const meta = unlistedMetaFor(copy);

const formSchema = z.object({ intent: z.enum(["code", "recovery"]), code: codeField() });

/** Shows the second step of signing in. Redirects everyone who does not face the challenge. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { standing, setCookies } = await requireSignedIn(getSite(context), request);
  const responseHeaders = createAdminHeaders(setCookies);
  if (standing !== "challenge") throw redirect("/admin", { status: 303, headers: responseHeaders });
  return data(null, { headers: responseHeaders });
}

export async function action({ request, context }: ActionFunctionArgs) {
  const site = getSite(context);
  const { form } = await guardPost(request, context);
  const signedIn = await requireSignedIn(site, request);
  const { setCookies, standing } = signedIn;
  if (standing !== "challenge") throw redirect("/admin", { status: 303, headers: createAdminHeaders(setCookies) });
  const sent = parseFields(form, formSchema);
  if (!sent.success) throw badRequest();
  const { intent, code } = sent.data;
  const { show } = createResponses<{ intent: typeof intent; text: string }>(context, setCookies);
  if (code === "") return show({ intent, text: mistakes.empty }, 400);
  const isCode = intent === "code";
  const checked = await (isCode
    ? verifyCode(site, signedIn, request, code)
    : redeemCode(site, signedIn, "recovery", code));
  if (checked.result !== "right") {
    const { text, status, headers: more } = describeRefusal(checked, isCode ? mistakes.wrong : mistakes.wrongRecovery);
    return show({ intent, text }, status, more);
  }
  const cookies = [...setCookies, await setKnownDevice(site, request, signedIn.user.email ?? "")];
  return isCode
    ? redirectWithMessage(site, "/admin", "loginSucceeded", cookies)
    : redirectWithMessage(site, secondFactorPaths.own, "secondFactorRecovered", cookies);
}

export default function SecondFactorPage() {
  const mistake = useActionData<typeof action>();
  const errorOf = (intent: string) => (mistake?.intent === intent ? mistake.text : undefined);
  return (
    <div className="wrap py-12 *:max-w-lg md:py-20">
      <ErrorSummary mistakes={mistake?.intent ? [{ controlId: mistake.intent, text: mistake.text }] : []} />
      <h1 className="mt-6 mb-4 text-(length:--text-title)">{copy.title}</h1>
      <p className="mb-8">{copy.lead}</p>
      <CodeForm
        action={secondFactorPaths.challenge}
        intent="code"
        kind="one-time"
        label={copy.code}
        submit={copy.submit}
        error={errorOf("code")}
      />
      <details className="mt-10" open={mistake?.intent === "recovery"}>
        <summary className="cursor-pointer font-semibold">{copy.lost}</summary>
        <p className="my-4">{copy.lostText}</p>
        <CodeForm
          action={secondFactorPaths.challenge}
          intent="recovery"
          kind="written"
          label={copy.recoveryCode}
          submit={copy.submitRecovery}
          error={errorOf("recovery")}
          quiet
        />
        <p className="mt-4 text-(--muted)">{copy.noCode}</p>
      </details>
      <form method="post" action="/logout" className="mt-10">
        <button className="link-button">{copy.leave}</button>
      </form>
    </div>
  );
}
