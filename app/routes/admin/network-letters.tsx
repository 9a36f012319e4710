import { unlistedMetaFor } from "~/content/page-meta";
import { AdminFrame } from "~/features/admin/shared/admin-frame";
import { adminPage } from "~/features/admin/shared/admin-page";
import { UnreadableEntries } from "~/features/admin/shared/unreadable-entries";
import { LetterList } from "~/features/admin/network/letters/letter-list";
import { letterPath } from "~/features/admin/network/letters/letter-words";
import { listLetters } from "~/features/admin/network/letters/letters.server";
import { hasPostalAddress } from "~/features/admin/network/letters/send-letter.server";
import { SendingOffNotice } from "~/features/admin/network/letters/sending-off-notice";
import { networkPath } from "~/features/admin/network/network-filters";
import { adminHeaders, adminLoader, requireData } from "~/features/auth/admin-page.server";
import { adminAreaHandle } from "~/lib/pages/admin-area";

const title = "Letters to the network";

export const meta = unlistedMetaFor({ title });

export const handle = adminAreaHandle;

export const headers = adminHeaders;

export const loader = adminLoader(async ({ client }) => ({
  letters: requireData(await listLetters(client)),
  isOff: !hasPostalAddress(),
}));

export default adminPage<typeof loader>(function LettersPage({ found: { letters, isOff } }) {
  return (
    <AdminFrame subtitle={title} area="network" back={{ nav: "Letters", label: "Investor network", path: networkPath }}>
      <SendingOffNotice isOff={isOff} />
      <p>
        <a href={letterPath("new")} className="button">
          New letter
        </a>
      </p>
      <LetterList letters={letters} />
      <UnreadableEntries />
    </AdminFrame>
  );
});
