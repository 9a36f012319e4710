import type { ReactNode } from "react";

/** Reasons that keep the words of a form from being stored. */
export const unsentReasons = {
  session:
    "Your session has ended. Sign in in a new tab, come back to this page, and press the button again: your text is still here.",
  unavailable: "The site’s database does not answer. Your text is still here: try again in a minute.",
  gone: "This message no longer exists, or its use is restricted, so there is nobody to reply to. Copy your text if you still need it.",
};

/** Words that somebody has typed and that were not kept, while the page they belong to cannot be shown. */
export interface UnsentTextProps {
  title: string;
  /** why they were not kept */
  failure: string | null;
  /** whether it is the session that has ended */
  needsSignIn: boolean;
  /** the form with the words in it */
  children: ReactNode;
}

/** Says what is wrong and gives the words back, in a form that can be sent again, also after a sign-in in another tab. */
export function UnsentText({ title, failure, needsSignIn, children }: UnsentTextProps) {
  return (
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
  );
}
