import { TallLink } from "~/ui/content/tall-link";
import { Notice } from "~/ui/frame/notice";
import type { SiteNotice } from "./site-notices.server";

/** Notices about the site, in order. */
export function NoticeList({ notices }: { notices: readonly SiteNotice[] }) {
  return notices.map(({ items, links = [], ...notice }) => (
    <Notice key={notice.title} {...notice}>
      {items ? (
        <ul className="mt-1 list-disc space-y-2 pl-4">
          {items.map((item) => (
            <li key={item}>{item}</li>
          ))}
        </ul>
      ) : null}
      {links.map(({ label, path }) => (
        <p key={label}>
          <TallLink href={path}>{label}</TallLink>
        </p>
      ))}
    </Notice>
  ));
}
