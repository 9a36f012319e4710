import { isRouteErrorResponse, useRouteError } from "@remix-run/react";
import { type ErrorPageCopy, refusedPostWords, serverErrorPage } from "~/content/error-pages";
import { networkLinkProblems } from "~/content/pages/network";
import { findErrorCopy } from "~/lib/pages/error-copy";
import { findRefusedPost } from "~/lib/pages/refused-post";
import { LinkPage } from "~/ui/content/link-page";
import { RefusedPostHelp } from "~/ui/frame/refused-post-help";
import { LostLinkForm } from "./lost-link";

/** The `ErrorBoundary` of /network: the problem, and for a link that does not work, the form for a new one. */
export function NetworkProblem() {
  const error = useRouteError();
  const { title, text } = findErrorCopy<ErrorPageCopy>(error, networkLinkProblems, serverErrorPage);
  return (
    <LinkPage title={title} lead={text}>
      <RefusedPostHelp refused={findRefusedPost(error)} words={refusedPostWords} />
      {isRouteErrorResponse(error) && error.status === 404 ? <LostLinkForm /> : null}
    </LinkPage>
  );
}
