import type { ReactNode } from "react";
import { unsentReasons } from "~/content/messages";
import { Main } from "~/ui/frame/main";

/** Typed text that was not stored, while its page cannot be shown. */
export interface UnsentTextProps {
  title: string;
  /** reason why it was not stored */
  failure: string | null;
  /** the list that the page belongs to, for an admin who is signed in */
  list?: { label: string; path: string };
  /** form with the text in it */
  children: ReactNode;
}

/** Explains the failure and returns the text in a form that can be sent again, even after signing in in another tab. */
export function UnsentText({ title, failure, list, children }: UnsentTextProps) {
  const needsSignIn = failure === unsentReasons.session;
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
        {needsSignIn || !list ? null : (
          <p className="mt-6">
            <a href={list.path} className="inline-flex min-h-11 items-center">
              {list.label}
            </a>
          </p>
        )}
      </div>
    </Main>
  );
}
