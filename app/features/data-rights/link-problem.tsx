import { useRouteError } from "@remix-run/react";
import { type ErrorPageCopy, refusedPostWords, serverErrorPage } from "~/content/error-pages";
import { linkPageLinks, linkProblems } from "~/content/privacy/data-rights-links";
import { findErrorCopy } from "~/lib/pages/error-copy";
import { findRefusedPost } from "~/lib/pages/refused-post";
import { RefusedPostHelp } from "~/ui/frame/refused-post-help";
import { LinkPage } from "~/ui/content/link-page";

/** The `ErrorBoundary` of pages that a secret link opens: the problem, and two links. */
export function LinkProblem() {
  const error = useRouteError();
  const { title, text } = findErrorCopy<ErrorPageCopy>(error, linkProblems, serverErrorPage);
  return (
    <LinkPage title={title} lead={text} links={linkPageLinks}>
      <RefusedPostHelp refused={findRefusedPost(error)} words={refusedPostWords} />
    </LinkPage>
  );
}
