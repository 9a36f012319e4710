import { metaFor } from "~/content/page-meta";
import { valuePage as page } from "~/content/pages/value";
import { OfferingPageView } from "~/ui/content/offering-page-view";

export const meta = metaFor(page, "service");

export default function ValuePage() {
  return <OfferingPageView page={page} />;
}
