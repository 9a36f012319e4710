import { metaFor } from "~/content/page-meta";
import { scalePage as page } from "~/content/pages/scale";
import { OfferingPageView } from "~/ui/content/offering-page-view";

export const meta = metaFor(page, "service");

export default function ScalePage() {
  return <OfferingPageView page={page} />;
}
