import { metaFor } from "~/content/page-meta";
import { smallBusinessPage as page } from "~/content/pages/small-business";
import { OfferingPageView } from "~/ui/content/offering-page-view";

export const meta = metaFor(page, "service");

export default function SmallBusinessPage() {
  return <OfferingPageView page={page} />;
}
