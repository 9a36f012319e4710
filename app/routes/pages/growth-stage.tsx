import { metaFor } from "~/content/page-meta";
import { growthStagePage as page } from "~/content/pages/growth-stage";
import { OfferingPageView } from "~/ui/content/offering-page-view";

export const meta = metaFor(page, "service");

export default function GrowthStagePage() {
  return <OfferingPageView page={page} />;
}
