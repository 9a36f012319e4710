import { metaFor } from "~/content/page-meta";
import { enterprisesPage as page } from "~/content/pages/enterprises";
import { OfferingPageView } from "~/ui/content/offering-page-view";

export const meta = metaFor(page, "service");

export default function EnterprisesPage() {
  return <OfferingPageView page={page} />;
}
