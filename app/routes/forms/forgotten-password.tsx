import { type ActionFunctionArgs, redirect } from "@remix-run/node";
import { useActionData } from "@remix-run/react";
import { z } from "zod";
import { emailAddress } from "#supabase/functions/_shared/form-text";
import type { Message } from "~/content/messages";
import { forgottenPasswordPage as copy } from "~/content/pages/forgotten-password";
import { unlistedMetaFor } from "~/content/page-meta";
import { requestNewPassword } from "~/features/auth/password/forgotten-password.server";
import { passHeaders } from "~/lib/pages/route-headers";
import { getSite } from "~/server/default-site.server";
import { guardPost } from "~/server/forms/guard.server";
import { receivePublicForm } from "~/server/forms/public-form.server";
import { EmailForm, RefusedEmailNotice } from "~/ui/forms/email-form";

export const headers = passHeaders;

export const meta = unlistedMetaFor(copy);

const failed = (text: string): Message => ({ tone: "error", title: copy.failedTitle, text });

/** Redirects to the sign-in page with the same message for existing and unknown accounts. */
export async function action({ request, context }: ActionFunctionArgs) {
  const site = getSite(context);
  const sent = await receivePublicForm(context, await guardPost(request, context), {
    schema: z.object({ email: emailAddress(255) }),
    tooMany: (wait) => failed(copy.tooMany(wait)),
    failed: failed(copy.unavailable),
    shown: {},
    serve: ({ email }, address) => requestNewPassword(site, email, address),
  });
  if ("refusal" in sent) return sent.refusal;
  return redirect(site.notices.addTo("/login", "passwordLinkSent"), { status: 303 });
}

export default function ForgottenPasswordPage() {
  const refused = useActionData<typeof action>();
  return (
    <div className="wrap py-12 *:max-w-lg md:py-20">
      <RefusedEmailNotice refused={refused} />
      <h1 className="mt-6 text-(length:--text-title)">{copy.title}</h1>
      <p className="mt-5">{copy.lead}</p>
      <EmailForm action="/login/forgotten" words={copy} autoComplete="username" refused={refused} />
      <p className="mt-6">
        <a href={copy.back.path} className="inline-block py-2.5">
          {copy.back.label}
        </a>
      </p>
    </div>
  );
}
