import { replyPromise } from "~/content/company";
import { unlistedMetaFor } from "~/content/page-meta";
import { readAnswerTimes } from "~/features/admin/inbox/answer-times.server";
import { AnswerTimesTable } from "~/features/admin/inbox/answer-times-table";
import { AdminFrame } from "~/features/admin/shared/admin-frame";
import { adminPage } from "~/features/admin/shared/admin-page";
import { UnreadableEntries } from "~/features/admin/shared/unreadable-entries";
import { adminHeaders, adminLoader, requireData } from "~/features/auth/admin-page.server";
import { adminAreaHandle } from "~/lib/pages/admin-area";

const title = "Response times";

export const meta = unlistedMetaFor({ title });

export const handle = adminAreaHandle;

export const headers = adminHeaders;

export const loader = adminLoader(async ({ client }) => ({ months: requireData(await readAnswerTimes(client)) }));

export default adminPage<typeof loader>(function AnswerTimesPage({ found: { months } }) {
  return (
    <AdminFrame subtitle={title} area="numbers" back={{ nav: "Numbers", label: "Numbers", path: "/admin/numbers" }}>
      <p className="max-w-[43.5em]">{`The site promises a reply within ${replyPromise}. A message counts as answered when the mail server took a reply written here, or when someone marks it as done, here or with the link in an email. Spam does not count. The median covers answered messages. “On time” counts messages answered within the promise, out of all that were answered or are late.`}</p>
      <AnswerTimesTable months={months} />
      <UnreadableEntries />
    </AdminFrame>
  );
});
