import { type LoaderFunctionArgs, data } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { unlistedMetaFor } from "~/content/page-meta";
import { listUndelivered } from "~/features/admin/delivery/delivery.server";
import { DeliveryList } from "~/features/admin/delivery/delivery-list";
import { AdminFrame } from "~/features/admin/shared/admin-frame";
import { UnreadableEntries } from "~/features/admin/shared/unreadable-entries";
import { requireAdminOr503 } from "~/features/auth/require-admin.server";
import { createAdminHeaders } from "~/lib/http/admin-headers";
import { adminAreaHandle } from "~/lib/pages/admin-area";
import { getSite } from "~/server/default-site.server";

const title = "Undelivered email";

export const meta = unlistedMetaFor({ title });

export const handle = adminAreaHandle;

/** Keeps the page out of all caches. */
export const headers = () => ({ "Cache-Control": "no-store" });

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { client, setCookies, generatedPasswordOf } = await requireAdminOr503(getSite(context), request);
  const mails = await listUndelivered(client);
  if (!mails.ok) throw new Response(null, { status: mails.status });
  return data(
    { mails: mails.data, unreadable: client.unreadable, generatedPasswordOf },
    { headers: createAdminHeaders(setCookies) },
  );
}

export default function UndeliveredMailPage() {
  const { mails, unreadable, generatedPasswordOf } = useLoaderData<typeof loader>();
  return (
    <AdminFrame subtitle={title} area="submissions" overdueRequests={null} generatedPasswordOf={generatedPasswordOf}>
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
      <UnreadableEntries ids={unreadable} />
    </AdminFrame>
  );
}
