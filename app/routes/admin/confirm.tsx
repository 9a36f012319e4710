import { TallLink } from "~/ui/content/tall-link";
import { secondFactorPages } from "~/content/pages/second-factor";
import { unlistedMetaFor } from "~/content/page-meta";
import { AdminFrame } from "~/features/admin/shared/admin-frame";
import { adminPage } from "~/features/admin/shared/admin-page";
import { describeRefusal } from "~/features/auth/second-factor/code-refusal.server";
import { OneTimeCodeField } from "~/features/auth/second-factor/code-form";
import { type Proof, confirmIdentity } from "~/features/auth/password/confirm-identity.server";
import { parseNext, recentMinutes } from "~/features/auth/sign-in/recent-sign-in.server";
import { adminAction, adminLoader } from "~/features/auth/admin-page.server";
import { hasSecondFactor } from "~/features/auth/require-admin.server";
import { passHeaders } from "~/lib/pages/route-headers";
import { secondFactorPaths } from "~/lib/pages/second-factor-paths";
import { redirectWithMessage } from "~/features/auth/signed-in.server";
import { adminAreaHandle } from "~/lib/pages/admin-area";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { TextField } from "~/ui/forms/field";

const { mistakes } = secondFactorPages;
const title = "Confirm it’s you";

export const meta = unlistedMetaFor({
  title,
  description: "Some actions require your password again, and your code if you have one.",
});

export const handle = adminAreaHandle;

/** Passes on `Cache-Control: no-store`, and `Retry-After` after too many attempts. */
export const headers = passHeaders;

/** Asks an admin to prove their identity again, then returns them to their task. */
export const loader = adminLoader(async ({ request, signedIn: { user } }) => ({
  next: readNext(request),
  email: user.email ?? "",
  needsCode: hasSecondFactor(user),
  minutes: recentMinutes,
}));

export const action = adminAction<Mistake>(async ({ request, site, form, address, admin: { signedIn }, show }) => {
  const needsCode = hasSecondFactor(signedIn.user);
  const typed = { password: String(form.get("password") ?? ""), code: String(form.get("code") ?? "") };
  if (typed.password === "") return show({ field: "password", text: mistakes.emptyPassword }, 400);
  if (needsCode && typed.code.trim() === "") return show({ field: "code", text: mistakes.empty }, 400);
  const checked = await confirmIdentity(site, request, signedIn, typed, address);
  if (checked.result !== "right") {
    const { field } = checked;
    const refusal = describeRefusal(checked, field === "code" ? mistakes.wrong : mistakes.wrongPassword);
    return show({ field, text: refusal.text }, refusal.status, refusal.headers);
  }
  return redirectWithMessage(site, readNext(request), "identityConfirmed", checked.setCookies);
});

const readNext = (request: Request) => parseNext(new URL(request.url).searchParams.get("next"));

interface Mistake {
  field: keyof Proof;
  text: string;
}

export default adminPage<typeof loader, typeof action>(function ConfirmPage({ found, refused }) {
  const { next, email, needsCode, minutes } = found;
  const mistakeOf = (field: keyof Proof) => (refused?.field === field ? refused.text : undefined);
  return (
    <AdminFrame subtitle={title} area="account">
      <ErrorSummary mistakes={refused?.field ? [{ controlId: refused.field, text: refused.text }] : []} />
      <p className="max-w-[43.5em]">{`You signed in more than ${minutes} minutes ago. Confirm your identity before you erase or export data, send a letter, remove a member, or change people or your sign-in.`}</p>
      <form
        method="post"
        action={`${secondFactorPaths.confirm}?next=${encodeURIComponent(next)}`}
        noValidate
        className="grid max-w-md gap-5"
      >
        <input type="text" autoComplete="username" value={email} readOnly hidden />
        <TextField
          label="Password"
          id="password"
          name="password"
          type="password"
          autoComplete="current-password"
          required
          error={mistakeOf("password")}
        />
        {needsCode ? (
          <OneTimeCodeField label="Code from your authenticator app" id="code" error={mistakeOf("code")} />
        ) : null}
        <p>
          <button className="button">Confirm</button>
        </p>
      </form>
      <p>
        <TallLink href="/admin">Go back</TallLink>
      </p>
    </AdminFrame>
  );
});
