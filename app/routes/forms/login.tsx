import type { ActionFunctionArgs } from "@remix-run/node";
import { type ClientActionFunctionArgs, useActionData, useNavigation } from "@remix-run/react";
import { type Message, fallbackTexts, messageTitles } from "~/content/messages";
import { unlistedMetaFor } from "~/content/page-meta";
import { loginPage } from "~/content/pages/login";
import { LoginForm } from "~/features/auth/sign-in/login-form";
import { loginSchema } from "~/features/auth/sign-in/login.schema";
import { secondFactorPaths } from "~/lib/pages/second-factor-paths";
import { signIn } from "~/features/auth/sign-in/sign-in.server";
import { redirectWithMessage } from "~/features/auth/signed-in.server";
import { fallbackOnNetworkError, noServerResult } from "~/lib/pages/fallback-on-network-error";
import { unlessFormSubmitted } from "~/lib/pages/revalidation";
import { passHeaders } from "~/lib/pages/route-headers";
import { getSite } from "~/server/default-site.server";
import { createFormRefusal, guardPost, formatWait } from "~/server/forms/guard.server";
import { parseForm } from "~/server/forms/parse-form.server";
import { MessageArea } from "~/ui/frame/message-area";

export const handle = { hydrate: true };

export const headers = passHeaders;

export const shouldRevalidate = unlessFormSubmitted;

export const meta = unlistedMetaFor(loginPage);

export async function action({ request, context }: ActionFunctionArgs) {
  const { form, rate, address, refund } = await guardPost(request, context);
  const submission = parseForm(form, loginSchema);
  const withoutPassword = { reply: () => submission.reply({ hideFields: ["password"] }) };
  const refuse = createFormRefusal(context, withoutPassword, {});
  const createRefusal = (seconds: number) =>
    refuse(429, {}, failed(loginPage.tooMany(formatWait(seconds))), { "Retry-After": String(seconds) });

  if (!rate.allowed) return createRefusal(rate.retryAfterSeconds);
  if (submission.status !== "success") return refuse(400);

  const result = await signIn(getSite(context), submission.value, request, address, () => context.leaveRenderQueue?.());
  if (result.outcome === "throttled") return createRefusal(result.retryAfterSeconds);
  if (result.outcome === "refused") return refuse(401, {}, failed(result.text));
  if (result.outcome === "broken") {
    await refund();
    return refuse(503, {}, { tone: "error", title: messageTitles.loginBroken, text: result.text });
  }
  return result.needsSecondFactor
    ? redirectWithMessage(getSite(context), secondFactorPaths.challenge, "passwordAccepted", result.setCookies)
    : redirectWithMessage(getSite(context), "/admin", "loginSucceeded", result.setCookies);
}

/** Keeps the page on screen when scripts lose the connection. */
export async function clientAction({ serverAction }: ClientActionFunctionArgs) {
  const message: Message = { tone: "error", title: messageTitles.loginBroken, text: fallbackTexts.loginBroken };
  return fallbackOnNetworkError(serverAction<typeof action>(), { result: noServerResult, message });
}

const failed = (text: string): Message => ({ tone: "error", title: messageTitles.loginFailed, text });

export default function LoginPage() {
  const actionData = useActionData<typeof action>();
  const isSigningIn = useNavigation().formAction === "/login";
  return (
    <>
      <MessageArea message={actionData?.message ?? null} />
      <div className="wrap py-12 *:max-w-lg md:py-20">
        <LoginForm lastResult={actionData?.result} isSigningIn={isSigningIn}>
          <h1 className="mt-6 mb-8 text-(length:--text-title)">{loginPage.title}</h1>
        </LoginForm>
        <p className="mt-6">
          <a href={loginPage.forgotten.path} className="inline-block py-2.5">
            {loginPage.forgotten.label}
          </a>
        </p>
      </div>
    </>
  );
}
