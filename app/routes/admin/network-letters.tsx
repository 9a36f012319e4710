import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { unlistedMetaFor } from "~/content/page-meta";
import { LetterFrame } from "~/features/admin/network/letters/letter-frame";
import { UnreadableEntries } from "~/features/admin/shared/unreadable-entries";
import { LetterList } from "~/features/admin/network/letters/letter-list";
import { letterPath } from "~/features/admin/network/letters/letter-words";
import { listLetters } from "~/features/admin/network/letters/letters.server";
import { hasPostalAddress } from "~/features/admin/network/letters/send-letter.server";
import { SendingOffNotice } from "~/features/admin/network/letters/sending-off-notice";
import { networkPath } from "~/features/admin/network/network-filters";
import { adminHeaders, loadAdminPage, requireData } from "~/features/auth/admin-page.server";
import { adminAreaHandle } from "~/lib/pages/admin-area";

const title = "Letters to the network";

export const meta = unlistedMetaFor({ title });

export const handle = adminAreaHandle;

export const headers = adminHeaders;

export function loader(args: LoaderFunctionArgs) {
  return loadAdminPage(args, async ({ client }) => ({
    letters: requireData(await listLetters(client)),
    isOff: !hasPostalAddress(),
  }));
}

export default function LettersPage() {
  const { letters, unreadable, isOff, generatedPasswordOf } = useLoaderData<typeof loader>();
  return (
    <LetterFrame
      title={title}
      back={{ label: "Investor network", path: networkPath }}
      generatedPasswordOf={generatedPasswordOf}
    >
      <SendingOffNotice isOff={isOff} />
      <p>
        <a href={letterPath("new")} className="button">
          New letter
        </a>
      </p>
      <LetterList letters={letters} />
      <UnreadableEntries ids={unreadable} />
    </LetterFrame>
  );
}
