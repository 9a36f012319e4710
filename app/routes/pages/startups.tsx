import { metaFor } from "~/content/page-meta";
import { startupsPage as page } from "~/content/pages/startups";
import { OfferingPageView } from "~/ui/content/offering-page-view";

export const meta = metaFor(page, "service");

export default function StartupsPage() {
  return <OfferingPageView page={page} />;
}
