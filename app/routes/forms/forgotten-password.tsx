import { type ActionFunctionArgs, data, redirect } from "@remix-run/node";
import { useActionData } from "@remix-run/react";
import { z } from "zod";
import { emailAddress } from "#supabase/functions/_shared/form-text";
import { forgottenPasswordPage as copy } from "~/content/pages/forgotten-password";
import { unlistedMetaFor } from "~/content/page-meta";
import { requestNewPassword } from "~/features/auth/password/forgotten-password.server";
import { signInHandle } from "~/lib/pages/admin-area";
import { passHeaders } from "~/lib/pages/route-headers";
import { getSite } from "~/server/default-site.server";
import { askAboutAddress } from "~/server/forms/address-question.server";
import { guardPost, formatWait } from "~/server/forms/guard.server";
import { parseFields } from "~/server/forms/parse-form.server";
import { QuestionedAddress } from "~/ui/forms/questioned-address";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { TextField } from "~/ui/forms/field";
import { Notice } from "~/ui/frame/notice";

export const handle = signInHandle;

export const headers = passHeaders;

export const meta = unlistedMetaFor(copy);

const formSchema = z.object({ email: emailAddress(255) });

/** Redirects to the sign-in page with the same message for existing and unknown accounts. */
export async function action({ request, context }: ActionFunctionArgs) {
  const site = getSite(context);
  const { form, rate, address, refund } = await guardPost(request, context);
  const parsed = parseFields(form, formSchema);
  const email = String(form.get("email") ?? "");
  const question = askAboutAddress(form);
  const refuse = (status: number, failure: { mistake?: string; text?: string }, extraHeaders?: HeadersInit) => {
    context.hasMistakes = true;
    return data({ email, asked: question.asked, ...failure }, { status, headers: extraHeaders });
  };
  const createRefusal = (seconds: number) =>
    refuse(429, { text: copy.tooMany(formatWait(seconds)) }, { "Retry-After": String(seconds) });

  if (!rate.allowed) return createRefusal(rate.retryAfterSeconds);
  const mistake = parsed.success ? question.text : parsed.error.issues[0]?.message;
  if (!parsed.success || mistake) return refuse(400, { mistake: mistake ?? "" });
  const result = await requestNewPassword(site, parsed.data.email, address);
  if (result.outcome === "throttled") return createRefusal(result.retryAfterSeconds);
  if (result.outcome === "unavailable") {
    await refund();
    return refuse(503, { text: copy.unavailable });
  }
  return redirect(site.notices.addTo("/login", "passwordLinkSent"), { status: 303 });
}

export default function ForgottenPasswordPage() {
  const failed = useActionData<typeof action>();
  const { mistake, text } = { mistake: undefined, text: undefined, ...failed };
  return (
    <div className="wrap py-12 *:max-w-lg md:py-20">
      {text ? <Notice tone="error" title={copy.failedTitle} text={text} /> : null}
      <ErrorSummary mistakes={mistake ? [{ controlId: "email", text: mistake }] : []} />
      <h1 className="mt-6 text-(length:--text-title)">{copy.title}</h1>
      <p className="mt-5">{copy.lead}</p>
      <form method="post" action="/login/forgotten" noValidate className="mt-8 grid gap-6">
        <TextField
          label={copy.email}
          id="email"
          name="email"
          type="email"
          autoComplete="username"
          required
          defaultValue={failed?.email}
          error={mistake}
        />
        <QuestionedAddress address={failed?.asked ?? null} />
        <p>
          <button className="button w-full sm:w-auto">{copy.submit}</button>
        </p>
      </form>
      <p className="mt-6">
        <a href={copy.back.path} className="inline-block py-2.5">
          {copy.back.label}
        </a>
      </p>
    </div>
  );
}
