import { useActionData, useLoaderData } from "@remix-run/react";
import { type ReactNode, useMemo } from "react";
import { company } from "~/content/company";
import { messageTitles } from "~/content/messages";
import { ConfirmFirst } from "./confirm-first";
import { BrandMark } from "~/ui/frame/brand-mark";
import { adminContentId } from "~/lib/pages/admin-area";
import type { Refusal } from "~/server/forms/admin-refusal.server";
import { FilterTabs } from "./filter-tabs";
import { Main } from "~/ui/frame/main";
import { MessageArea } from "~/ui/frame/message-area";
import { Notice } from "~/ui/frame/notice";

/** Frame of every page in the admin area. */
export interface AdminFrameProps {
  subtitle: ReactNode;
  /** null while no area is accessible yet: hides the navigation */
  area: "submissions" | "requests" | "network" | "numbers" | "people" | "account" | null;
  /** messages that wait for an answer; left out if unknown */
  waiting?: number;
  /** left out if unknown */
  overdueRequests?: number;
  /** shown with the failure of a refused post */
  failureDetails?: ReactNode;
  /** id of the page's list, which a second skip link leads to: "messages" */
  list?: string;
  /** shown under the title while scripts load something */
  status?: ReactNode;
  /** link above the title, in a navigation of this name */
  back?: { nav: string; label: string; path: string };
  /** more links there, in its place */
  ways?: ReactNode;
  /** actions beside the title */
  actions?: ReactNode;
  /** a permanent deletion to confirm; the page then shows nothing else */
  question?: ReactNode;
  children: ReactNode;
}

/**
 * Title, navigation and log-out button around the page's content, with the failure of a refused post, and a notice for
 * those who still use the password that the first start printed. A question shows nothing else.
 */
export function AdminFrame(props: AdminFrameProps) {
  const { subtitle, area, waiting, overdueRequests, failureDetails, list, status, back, ways, actions } = props;
  const { question, children } = props;
  const { found } = (useLoaderData() ?? {}) as { found?: { generatedPasswordOf: string | null } };
  const refused = useActionData() as Refusal | undefined;
  const message = useMemo(() => describeFailure(refused), [refused]);
  const requestsLabel = overdueRequests ? `Requests: ${overdueRequests} overdue` : "Requests";
  return (
    <>
      <header className="wrap admin-head">
        {list === undefined || question ? null : (
          <a href={`#${list}`} className="skip-link">
            {`To the ${list}`}
          </a>
        )}
        <div className="admin-bar">
          <a href="/" className="brand" aria-label={company.name}>
            <BrandMark />
          </a>
          {area === null ? null : (
            <FilterTabs
              label="Admin area"
              current={area}
              reloadDocument
              filters={[
                { name: "submissions", label: "Messages", address: "/admin", count: waiting ?? null },
                {
                  name: "requests",
                  label: requestsLabel,
                  address: "/admin/requests",
                  count: null,
                  isUrgent: Boolean(overdueRequests),
                },
                { name: "network", label: "Network", address: "/admin/network", count: null },
                { name: "numbers", label: "Numbers", address: "/admin/numbers", count: null },
                { name: "people", label: "People", address: "/admin/people", count: null },
                { name: "account", label: "Account", address: "/admin/account", count: null },
              ]}
            />
          )}
          <form method="post" action="/logout">
            <button className="link-button">Logout</button>
          </form>
        </div>
      </header>
      <Main>
        <div id={adminContentId} tabIndex={-1} className="wrap pb-10 outline-none">
          {back ? (
            <nav aria-label={back.nav} className="message-ways">
              <a href={back.path}>{`← ${back.label}`}</a>
            </nav>
          ) : (
            ways
          )}
          <div className="admin-titles">
            <h1 className="admin-title">Admin Dashboard</h1>
            <h2 className="admin-subtitle wrap-anywhere">{subtitle}</h2>
            {question ? null : actions}
          </div>
          {status}
          <div className="admin-blocks">
            {found?.generatedPasswordOf && !question ? (
              <Notice
                tone="info"
                title="Change the initial password"
                text="The other pages open once you have replaced the password that the server printed when it first started. Its log may contain that password."
                link={{ label: "Change it", path: "/admin/account#password" }}
              />
            ) : null}
            <MessageArea message={message} className="">
              {failureDetails}
            </MessageArea>
            {refused?.isStale ? <ConfirmFirst /> : null}
            {question ?? children}
          </div>
        </div>
      </Main>
    </>
  );
}

function describeFailure({ failure, failureTitle = messageTitles.adminFailed }: Refusal = {}) {
  return failure ? ({ tone: "error", title: failureTitle, text: failure } as const) : null;
}
