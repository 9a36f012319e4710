import { useRouteError } from "@remix-run/react";
import { accountLinkPage, accountLinkProblems, accountLinkWays } from "~/content/pages/account-link";
import { refusedPostWords, serverErrorPage } from "~/content/error-pages";
import { linkMetaFor } from "~/content/page-meta";
import { findErrorCopy } from "~/lib/pages/error-copy";
import { findRefusedPost } from "~/lib/pages/refused-post";
import { RefusedPostHelp } from "~/ui/frame/refused-post-help";

/** `ErrorBoundary` of the account link page: the problem, and links that help. */
export function AccountLinkProblem() {
  const error = useRouteError();
  const { title, text } = findErrorCopy(error, accountLinkProblems, serverErrorPage);
  return (
    <div className="wrap py-12 *:max-w-lg md:py-20">
      <h1 className="text-(length:--text-title)">{title}</h1>
      <p className="mt-5 text-xl">{text}</p>
      <RefusedPostHelp refused={findRefusedPost(error)} words={refusedPostWords} />
      <p className="link-ways">
        {accountLinkWays.map(({ label, path }) => (
          <a key={path} href={path}>
            {label}
          </a>
        ))}
      </p>
    </div>
  );
}

/** `meta` export of that page: noindex, with the problem as title if there is one. */
export const accountLinkMeta = linkMetaFor(accountLinkProblems, accountLinkPage);
