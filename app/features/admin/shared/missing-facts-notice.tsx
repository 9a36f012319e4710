import { adminPage } from "~/content/account/admin";
import { Notice } from "~/ui/frame/notice";

/** Says that placeholders stand on a public site; nothing where there are none. */
export function MissingFactsNotice({ count }: { count: number }) {
  if (count === 0) return null;
  return <Notice tone="info" title={adminPage.missingFacts.title} text={adminPage.missingFacts.text(count)} />;
}
