import { unlistedMetaFor } from "~/content/page-meta";
import { listUndelivered } from "~/features/admin/delivery/delivery.server";
import { DeliveryList } from "~/features/admin/delivery/delivery-list";
import { AdminFrame } from "~/features/admin/shared/admin-frame";
import { adminPage } from "~/features/admin/shared/admin-page";
import { UnreadableEntries } from "~/features/admin/shared/unreadable-entries";
import { adminHeaders, adminLoader, requireData } from "~/features/auth/admin-page.server";
import { adminAreaHandle } from "~/lib/pages/admin-area";

const title = "Undelivered email";

export const meta = unlistedMetaFor({ title });

export const handle = adminAreaHandle;

export const headers = adminHeaders;

export const loader = adminLoader(async ({ client }) => ({ mails: requireData(await listUndelivered(client)) }));

export default adminPage<typeof loader>(function UndeliveredMailPage({ found: { mails } }) {
  return (
    <AdminFrame subtitle={title} area="submissions">
      <DeliveryList
        id="undelivered"
        title="Not delivered"
        hint="The mailbox refused these emails, or the site could not send them for five days. Open each to send it again or correct the address. The site does not see emails that are returned to you later as mail."
        none="Every email that is still needed was sent, or waits below."
        mails={mails.undelivered}
      />
      <DeliveryList
        id="waiting"
        title="Waiting for the mail server"
        hint="The site keeps trying to send these. If the reason is the mail server or its settings, the site operator can mend it: docs/operations/mail.md. You don’t need to send anything again."
        none="No email is waiting after a failure."
        mails={mails.waiting}
      />
      <UnreadableEntries />
    </AdminFrame>
  );
});
