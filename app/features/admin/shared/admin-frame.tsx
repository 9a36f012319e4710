import type { ReactNode } from "react";
import { company } from "~/content/company";
import { BrandMark } from "~/ui/frame/brand-mark";
import { adminContentId } from "~/lib/pages/admin-area";
import { FilterTabs } from "~/ui/forms/filter-tabs";
import { Notice } from "~/ui/frame/notice";

/** What stands around every page of the admin area. */
export interface AdminFrameProps {
  subtitle: ReactNode;
  /** null where no area opens yet: there are no ways to them */
  area: "submissions" | "requests" | "numbers" | "people" | "account" | null;
  /** messages that wait for an answer; left out where that is not known */
  waiting?: number;
  /** null where it is not known */
  overdueRequests: number | null;
  /** the admin's address while their password is the one that the first start printed, else null */
  generatedPasswordOf: string | null;
  /** stands under the title while scripts load something */
  status?: ReactNode;
  children: ReactNode;
}

/** Title, the ways to the areas, and the way out. */
export function AdminFrame(props: AdminFrameProps) {
  const { subtitle, area, waiting, overdueRequests, generatedPasswordOf, status, children } = props;
  const requestsLabel = overdueRequests ? `Requests: ${overdueRequests} overdue` : "Requests";
  return (
    <>
      <header className="wrap admin-head">
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
                { name: "requests", label: requestsLabel, address: "/admin/requests", count: null },
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
      <div id={adminContentId} tabIndex={-1} className="wrap pb-10 outline-none">
        <h1 className="admin-title">Admin Dashboard</h1>
        <h2 className="admin-subtitle wrap-anywhere">{subtitle}</h2>
        {status}
        <div className="mt-3 grid grid-cols-1 gap-4">
          {generatedPasswordOf === null ? null : (
            <Notice
              tone="info"
              title="Change the initial password"
              text="You are still using the password that the server printed when it first started, and its log may contain it."
              link={{ label: "Change it on your account page", path: "/admin/account#password" }}
            />
          )}
          {children}
        </div>
      </div>
    </>
  );
}
