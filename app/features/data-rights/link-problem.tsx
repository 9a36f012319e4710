import type { MetaFunction } from "@remix-run/node";
import { useRouteError } from "@remix-run/react";
import { type ErrorPageCopy, errorPages, refusedPostWords, serverErrorPage } from "~/content/error-pages";
import { unlistedMetaFor } from "~/content/page-meta";
import { linkPageLinks, linkProblems } from "~/content/privacy/data-rights-links";
import { findErrorCopy } from "~/lib/pages/error-copy";
import { findRefusedPost } from "~/lib/pages/refused-post";
import { RefusedPostHelp } from "~/ui/frame/refused-post-help";
import { LinkPage } from "~/ui/content/link-page";

/** The `ErrorBoundary` of pages that a secret link opens: the problem, and two links. */
export function LinkProblem() {
  const error = useRouteError();
  const { title, text } = toErrorCopy(error);
  const { request, contact } = linkPageLinks;
  return (
    <LinkPage title={title} lead={text}>
      <RefusedPostHelp refused={findRefusedPost(error)} words={refusedPostWords} />
      <p className="link-ways">
        <a href={request.path}>{request.label}</a>
        <a href={contact.path}>{contact.label}</a>
      </p>
    </LinkPage>
  );
}

/** The `meta` export of a page that a secret link opens: noindex, and titled after the problem if there is one. */
export function linkPageMeta(page: { title: string }): MetaFunction {
  return (args) =>
    unlistedMetaFor((args.error ?? null) === null ? page : { title: toErrorCopy(args.error).title })(args);
}

function toErrorCopy(error: unknown): ErrorPageCopy {
  return findErrorCopy<ErrorPageCopy>(error, { ...errorPages, ...linkProblems }, serverErrorPage);
}
