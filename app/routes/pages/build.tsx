import { metaFor } from "~/content/page-meta";
import { buildPage as page } from "~/content/pages/build";
import { OfferingPageView } from "~/ui/content/offering-page-view";

export const meta = metaFor(page, "service");

export default function BuildPage() {
  return <OfferingPageView page={page} />;
}
