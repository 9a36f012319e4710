import type { ReactNode } from "react";
import { adminPage } from "~/content/account/admin";
import { FilterTabs } from "~/ui/forms/filter-tabs";
import { Notice } from "~/ui/frame/notice";

/** What stands around every page of the admin area. */
export interface AdminFrameProps {
  subtitle: string;
  area: "submissions" | "requests";
  /** null where it is not known */
  overdueRequests: number | null;
  /** the admin's address while their password is the one that the first start printed, else null */
  generatedPasswordOf: string | null;
  /** stands under the title while scripts load something */
  status?: ReactNode;
  children: ReactNode;
}

/** Title, the ways to the two lists, and the way out. */
export function AdminFrame(props: AdminFrameProps) {
  const { subtitle, area, overdueRequests, generatedPasswordOf, status, children } = props;
  const { title, logOut, areas, firstPassword } = adminPage;
  const requestsLabel = overdueRequests ? `${areas.requests}: ${areas.overdue(overdueRequests)}` : areas.requests;
  return (
    <div className="wrap py-10 md:py-16">
      <div className="flex flex-wrap items-end justify-between gap-6">
        <div>
          <h1 className="text-(length:--text-title)">{title}</h1>
          <h2 className="mt-2 font-text text-lg font-normal tracking-normal text-(--muted)">{subtitle}</h2>
        </div>
        <form method="post" action="/logout">
          <button className="button button-quiet">{logOut}</button>
        </form>
      </div>
      <div className="mt-6">
        <FilterTabs
          label={areas.label}
          current={area}
          filters={[
            { name: "submissions", label: areas.submissions, address: "/admin", count: null },
            { name: "requests", label: requestsLabel, address: "/admin/requests", count: null },
          ]}
        />
      </div>
      {status}
      <div className="mt-6 grid gap-6">
        {generatedPasswordOf === null ? null : (
          <Notice tone="info" title={firstPassword.title} text={firstPassword.text(generatedPasswordOf)} />
        )}
        {children}
      </div>
    </div>
  );
}
