import { type ActionFunctionArgs, type LoaderFunctionArgs, type SerializeFrom, data, redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import type { NoticeRules } from "~/content/messages";
import { codeField } from "#supabase/functions/_shared/form-text";
import { secondFactorPages } from "~/content/pages/second-factor";
import { unlistedMetaFor } from "~/content/page-meta";
import { createAdminHeaders } from "~/lib/http/admin-headers";
import { AdminFrame } from "~/features/admin/shared/admin-frame";
import { describeRefusal } from "~/features/auth/second-factor/code-refusal.server";
import * as ownFactor from "~/features/auth/second-factor/own-factor.server";
import { OwnFactorView, type OwnFactorStep } from "~/features/auth/second-factor/own-factor-view";
import { requireRecent } from "~/features/auth/sign-in/recent-sign-in.server";
import { badRequest, createResponses } from "~/features/auth/admin-page.server";
import { secondFactorPaths } from "~/lib/pages/second-factor-paths";
import type { CodeResult } from "~/features/auth/code-result";
import { redeemCode } from "~/features/auth/second-factor/second-factor.server";
import { type SignedIn, redirectWithMessage, requireSignedIn } from "~/features/auth/signed-in.server";
import { formatDayOf } from "~/lib/dates";
import { adminAreaHandle } from "~/lib/pages/admin-area";
import { passHeaders } from "~/lib/pages/route-headers";
import { getSite } from "~/server/default-site.server";
import { guardPost } from "~/server/forms/guard.server";
import { parseFields } from "~/server/forms/parse-form.server";
import type { SiteContext } from "~/server/site-context.server";

const { mistakes } = secondFactorPages;
const title = "Two-step verification";

export const meta = unlistedMetaFor({
  title,
  description: "Set up or turn off a code from your phone when you sign in.",
});

const notices: NoticeRules<SerializeFrom<typeof loader>> = {
  recoveryCodesMissing: ({ step }) => step.step === "on",
  secondFactorOff: ({ step }) => step.step === "off",
  secondFactorRecovered: ({ step }) => step.step === "off",
};
export const handle = { ...adminAreaHandle, notices };

/** Passes on `Cache-Control: no-store`, and `Retry-After` after too many attempts. */
export const headers = passHeaders;

const code = codeField();
const formSchema = z.discriminatedUnion("intent", [
  z.object({ intent: z.enum(["waive", "begin", "renew", "off"]) }),
  z.object({ intent: z.enum(["setup", "recovery"]), code }),
  z.object({
    intent: z.literal("finish"),
    code,
    factorId: z.uuid(),
    uri: z.string().startsWith("otpauth://totp/").max(500),
  }),
]);

/** Requires a signed-in admin who has passed any challenge, and redirects others to the missing step. */
async function requireOwner(site: SiteContext, request: Request): Promise<SignedIn> {
  const signedIn = await requireSignedIn(site, request);
  const { standing, setCookies } = signedIn;
  if (standing === "none") throw redirectWithMessage(site, "/", "notAdmin", setCookies);
  if (standing === "challenge")
    throw redirect(secondFactorPaths.challenge, { status: 303, headers: createAdminHeaders(setCookies) });
  return signedIn;
}

export async function loader({ request, context }: LoaderFunctionArgs) {
  const site = getSite(context);
  const signedIn = context.signedIn ?? (await requireOwner(site, request));
  const { standing, user, setCookies } = signedIn;
  const factor = user.factors?.find(({ status }) => status === "verified");
  const step: OwnFactorStep =
    standing === "setup"
      ? { step: "setup" }
      : factor
        ? {
            step: "on",
            since: formatDayOf(factor.created_at, site.settings.replyClock.timeZone),
            codesLeft: await ownFactor.countRecoveryCodes(signedIn),
          }
        : { step: "off" };
  return data({ step, isRequired: standing !== "admin" }, { headers: createAdminHeaders(setCookies) });
}

export async function action({ request, context }: ActionFunctionArgs) {
  const site = getSite(context);
  const { form } = await guardPost(request, context);
  const signedIn = (context.signedIn = await requireOwner(site, request));
  const { setCookies, standing } = signedIn;
  const responses = createResponses<{ step: OwnFactorStep | null; mistake: string | null }>(context, setCookies);
  const show = (step: OwnFactorStep | null, mistake: string | null = null, status = 200) =>
    responses.show({ step, mistake }, status);
  const refuse = (step: OwnFactorStep | null, result: Exclude<CodeResult, { result: "right" }>, wrong: string) => {
    const { text, status, headers: more } = describeRefusal(result, wrong);
    return responses.show({ step, mistake: text }, status, more);
  };
  const parsed = parseFields(form, formSchema);
  if (!parsed.success) throw badRequest();
  const sent = parsed.data;

  if (sent.intent === "waive") {
    await ownFactor.dismissAdvice(signedIn);
    return responses.leadTo("/admin");
  }
  const startOver = () => responses.leadTo(secondFactorPaths.own);
  if (sent.intent === "setup" || sent.intent === "recovery") {
    if (standing !== "setup") return startOver();
    const step: OwnFactorStep = { step: "setup", failed: sent.intent };
    if (sent.code === "") return show(step, mistakes.empty, 400);
    const checked = await redeemCode(site, signedIn, sent.intent, sent.code);
    const wrong = sent.intent === "setup" ? mistakes.wrongSetup : mistakes.wrongRecovery;
    return checked.result === "right" ? startOver() : refuse(step, checked, wrong);
  }
  if (standing === "setup") return startOver();
  // After a setup code, the confirmation page is not accessible yet.
  if (standing === "admin") requireRecent({ signedIn, setCookies }, secondFactorPaths.own);
  if (sent.intent === "begin") {
    const enrollment = await ownFactor.beginEnrollment(site, signedIn);
    return enrollment ? show(describeScan(enrollment)) : show(null, mistakes.notDone, 503);
  }
  if (sent.intent === "off") {
    const isOff = await ownFactor.removeFactors(site, signedIn);
    if (!isOff) return show(null, mistakes.notDone, 503);
    return redirectWithMessage(site, secondFactorPaths.own, "secondFactorOff", setCookies);
  }
  if (sent.intent === "finish") {
    const scan = describeScan(sent);
    if (sent.code === "") return show(scan, mistakes.empty, 400);
    const checked = await ownFactor.finishEnrollment(site, signedIn, sent.factorId, sent.code);
    if (checked.result !== "right") return refuse(scan, checked, mistakes.wrong);
  }
  const codes = await ownFactor.createRecoveryCodes(site, signedIn);
  if (codes) return show({ step: "codes", codes, site: new URL(site.settings.siteUrl).host });
  // The first code has turned it on.
  if (sent.intent === "finish")
    return redirectWithMessage(site, secondFactorPaths.own, "recoveryCodesMissing", setCookies);
  return show(null, mistakes.notDone, 503);
}

function describeScan({ factorId, uri }: ownFactor.Enrollment): OwnFactorStep {
  return { step: "scan", factorId, uri, image: ownFactor.drawQrCode(uri), manualKey: ownFactor.readKey(uri) };
}

export default function OwnFactorPage() {
  const { step, isRequired } = useLoaderData<typeof loader>();
  const actionData = useActionData<typeof action>();
  return (
    <AdminFrame subtitle={title} area={isRequired ? null : "account"}>
      <OwnFactorView step={actionData?.step ?? step} isRequired={isRequired} mistake={actionData?.mistake ?? null} />
    </AdminFrame>
  );
}
