import { useLocation } from "@remix-run/react";
import { secondFactorPaths } from "~/lib/pages/second-factor-paths";
import { Notice } from "~/ui/frame/notice";

/**
 * Says that a form with entries waits for a recent sign-in (`hasRecentSignIn`). The entries stay in the form below, because the page
 * that confirms opens in a new tab.
 */
export function ConfirmFirst() {
  const next = useLocation().pathname;
  return (
    <Notice
      tone="error"
      title="Confirm it’s you first"
      text="Nothing was done, and your entries are still here. Confirm it’s you in a new tab, come back to this page, and press the button again."
    >
      <p>
        <a
          href={`${secondFactorPaths.confirm}?next=${encodeURIComponent(next)}`}
          target="_blank"
          rel="noopener"
          className="inline-block py-2.5"
        >
          Confirm it’s you in a new tab
        </a>
      </p>
    </Notice>
  );
}
