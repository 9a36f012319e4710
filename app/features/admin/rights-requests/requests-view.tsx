import { adminPage } from "~/content/account/admin";
import { adminRequestsPage } from "~/content/account/admin-requests";
import { FolderTabs } from "~/ui/forms/filter-tabs";
import { Pager } from "~/ui/forms/pager";
import { type RequestFolder, listAddress, requestFolders } from "../shared/filters";
import { RequestList } from "./request-list";
import type { RequestRow } from "./requests.server";
import { SearchForm } from "../shared/search-form";

/** A page of requests and what stands around it. */
export interface RequestsViewProps {
  folder: RequestFolder;
  search: string | null;
  cursor: string | null;
  requests: readonly RequestRow[];
  previous: string | null;
  next: string | null;
  counts: Record<RequestFolder, number>;
}

const path = "/admin/requests";

/** Folders, search, and the requests of one page in the order in which they must be answered. */
export function RequestsView({ folder, search, cursor, requests, previous, next, counts }: RequestsViewProps) {
  const { folders, pager, empty } = adminRequestsPage;
  return (
    <>
      <FolderTabs
        label={folders.label}
        current={folder}
        folders={requestFolders.map((name) => ({
          name,
          label: folders[name],
          address: listAddress(path, name, null),
          count: counts[name],
        }))}
      />
      <SearchForm search={search} action={listAddress(path, folder, cursor)} />
      {requests.length === 0 ? (
        <p className="rounded-xl border border-(--line) bg-(--raised) px-6 py-12 text-center">
          {search === null ? empty : adminPage.nothingFound}
        </p>
      ) : (
        <RequestList requests={requests} />
      )}
      <Pager
        label={pager.label}
        previous={{ label: pager.previous, address: previous && listAddress(path, folder, previous) }}
        next={{ label: pager.next, address: next && listAddress(path, folder, next) }}
      />
    </>
  );
}
