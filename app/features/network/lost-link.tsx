import { lostLinkPage as copy } from "~/content/pages/network";
import { LinkPage } from "~/ui/content/link-page";
import { EmailForm, type RefusedEmail, RefusedEmailNotice } from "~/ui/forms/email-form";

interface LostLinkProps {
  /** the last post, if it was refused */
  refused?: RefusedEmail | undefined;
}

/** The page without a link. */
export function LostLink({ refused }: LostLinkProps) {
  return (
    <div>
      <div className="wrap grid gap-6 pt-6 *:max-w-2xl empty:hidden">
        <RefusedEmailNotice refused={refused} />
      </div>
      <LinkPage title={copy.title} lead={copy.lead}>
        <LostLinkForm refused={refused} />
      </LinkPage>
    </div>
  );
}

/** The form that emails a member the link to their page. */
export function LostLinkForm({ refused }: LostLinkProps) {
  return (
    <>
      <EmailForm action="/network" words={copy} autoComplete="email" refused={refused} />
      <p className="mt-6">
        {copy.join.before}
        <a href={copy.join.path}>{copy.join.label}</a>
      </p>
    </>
  );
}
