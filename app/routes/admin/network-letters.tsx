import { type LoaderFunctionArgs, data } from "@remix-run/node";
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
import { requireAdminOr503 } from "~/features/auth/require-admin.server";
import { createAdminHeaders } from "~/lib/http/admin-headers";
import { adminAreaHandle } from "~/lib/pages/admin-area";
import { getSite } from "~/server/default-site.server";

const title = "Letters to the network";

export const meta = unlistedMetaFor({ title });

export const handle = adminAreaHandle;

/** Keeps the page out of all caches. */
export const headers = () => ({ "Cache-Control": "no-store" });

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { client, setCookies, generatedPasswordOf } = await requireAdminOr503(getSite(context), request);
  const letters = await listLetters(client);
  if (!letters.ok) throw new Response(null, { status: letters.status });
  return data(
    { letters: letters.data, unreadable: client.unreadable, isOff: !hasPostalAddress(), generatedPasswordOf },
    { headers: createAdminHeaders(setCookies) },
  );
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
