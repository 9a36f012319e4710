import { unlistedMetaFor } from "~/content/page-meta";
import { LetterCheck } from "~/features/admin/network/letters/letter-check";
import { AdminFrame } from "~/features/admin/shared/admin-frame";
import { checkPath, letterPath } from "~/features/admin/network/letters/letter-words";
import { type Letter, countRecipients, findLetter } from "~/features/admin/network/letters/letters.server";
import {
  type AskedNumber,
  composeFooter,
  composeSample,
  hasPostalAddress,
  postLetter,
  sendFormSchema,
} from "~/features/admin/network/letters/send-letter.server";
import { SendQuestion, numberId } from "~/features/admin/network/letters/send-question";
import { SendingOffNotice } from "~/features/admin/network/letters/sending-off-notice";
import { adminPage } from "~/features/admin/shared/admin-page";
import { hasRecentSignIn, requireRecent } from "~/features/auth/sign-in/recent-sign-in.server";
import {
  adminAction,
  adminHeaders,
  adminLoader,
  badRequest,
  requireData,
  requireId,
} from "~/features/auth/admin-page.server";
import { adminAreaHandle } from "~/lib/pages/admin-area";
import { parseFields } from "~/server/forms/parse-form.server";
import { ErrorSummary } from "~/ui/forms/error-summary";

const title = "Check the letter";

export const meta = unlistedMetaFor({ title });

export const handle = adminAreaHandle;

export const headers = adminHeaders;

/** Loads a complete draft and its recipients. Redirects any other letter to its page. */
export const loader = adminLoader(async ({ site, client, params, signedIn, leadTo }) => {
  const { siteUrl } = site.settings;
  const letter = requireData(await findLetter(client, requireId(params.letterId), composeFooter(siteUrl)));
  if (letter.state !== "draft") throw leadTo(letterPath(letter.id));
  if (!isComplete(letter)) throw leadTo(letterPath(letter.id), "letterIncomplete");
  const recipients = requireData(await countRecipients(client, letter));
  return {
    letter,
    recipients,
    sample: composeSample(letter, recipients.names, siteUrl),
    canSend: hasPostalAddress(),
    ownAddress: signedIn.user.email ?? "",
  };
});

/** Mails the letter to the admin, asks for the number of members, or sends the letter, then redirects. */
export const action = adminAction<{ asked: AskedNumber }>(async ({ params, site, form, admin, show, leadTo }) => {
  const letter = requireData(await findLetter(admin.client, requireId(params.letterId)));
  const post = parseFields(form, sendFormSchema);
  if (!post.success) throw badRequest();
  const number = post.data.intent === "send" ? (post.data.number ?? "") : "";
  if (post.data.intent === "send" && number === "") requireRecent(admin, checkPath(letter.id));
  if (number !== "" && !hasRecentSignIn(admin))
    return show({ asked: { typed: number, mistake: null }, isStale: true }, 403);
  const outcome = await postLetter(admin.client, letter, post.data, site.settings.siteUrl);
  if ("done" in outcome)
    return leadTo(outcome.done === "letterTried" ? checkPath(letter.id) : letterPath(letter.id), outcome.done);
  const { status, ...refused } = outcome;
  return show({ ...refused, title: "asked" in refused ? "Send this letter?" : undefined }, status);
});

export default adminPage<typeof loader, typeof action>(function CheckLetterPage({ found, refused }) {
  const { letter, recipients, sample, canSend, ownAddress } = found;
  const asked = refused?.asked;
  const mistake = asked?.mistake ?? null;
  return (
    <AdminFrame
      subtitle={title}
      area="network"
      back={{ nav: "Letters", label: "Change the letter", path: letterPath(letter.id) }}
    >
      <ErrorSummary mistakes={[{ controlId: numberId, text: mistake }]} />
      <SendingOffNotice isOff={!canSend} />
      {asked ? (
        <SendQuestion letter={letter} count={recipients.count} typed={asked.typed} mistake={mistake} />
      ) : (
        <LetterCheck
          letter={letter}
          recipients={recipients}
          sample={sample}
          ownAddress={ownAddress}
          canSend={canSend}
        />
      )}
    </AdminFrame>
  );
});

function isComplete({ subject, body, to_states }: Letter): boolean {
  return subject !== "" && body !== "" && to_states.length > 0;
}
