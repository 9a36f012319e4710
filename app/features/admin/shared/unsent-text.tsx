import type { ReactNode } from "react";
import { Main } from "~/ui/frame/main";

/** Reasons why the text of a form was not stored. */
export const unsentReasons = {
  session:
    "Your session has ended. Your text is still here. Sign in in a new tab, come back to this page, and press the button again.",
  unavailable: "The site’s database is not responding. Your text is still here. Try again in a minute.",
  busy: "Too many sign-ins from your connection are being checked. Your text is still here. Try again in a minute.",
  gone: "You can’t reply to this message: it no longer exists, or its use is restricted. Copy your text if you still need it.",
};

/** Returns the reason for a post without an admin; see `findWriter`. */
export function unsentReason({ status }: { status: 403 | 429 | 503 }): string {
  return { 403: unsentReasons.session, 429: unsentReasons.busy, 503: unsentReasons.unavailable }[status];
}

/** Typed text that was not stored, while its page cannot be shown. */
export interface UnsentTextProps {
  title: string;
  /** reason why it was not stored */
  failure: string | null;
  /** true if the session has ended */
  needsSignIn: boolean;
  /** form with the text in it */
  children: ReactNode;
}

/** Explains the failure and returns the text in a form that can be sent again, even after signing in in another tab. */
export function UnsentText({ title, failure, needsSignIn, children }: UnsentTextProps) {
  return (
    <Main>
      <div className="wrap py-8 *:max-w-2xl">
        <h1 className="mb-4 text-(length:--text-title)">{title}</h1>
        <p role="alert" className="mb-6 text-(--danger)">
          {failure}
        </p>
        {needsSignIn ? (
          <p className="mb-6">
            <a href="/login" target="_blank" rel="noopener" className="button">
              Sign in in a new tab
            </a>
          </p>
        ) : null}
        {children}
      </div>
    </Main>
  );
}
