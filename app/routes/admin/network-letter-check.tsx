import { type ActionFunctionArgs, type LoaderFunctionArgs, data, redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { type MessageKey, messageTitles } from "~/content/messages";
import { unlistedMetaFor } from "~/content/page-meta";
import { LetterCheck } from "~/features/admin/network/letters/letter-check";
import { LetterFrame } from "~/features/admin/network/letters/letter-frame";
import { checkPath, letterPath } from "~/features/admin/network/letters/letter-words";
import { type Letter, countRecipients, requireLetter } from "~/features/admin/network/letters/letters.server";
import {
  composeFooter,
  composeSample,
  hasPostalAddress,
  postLetter,
  sendFormSchema,
} from "~/features/admin/network/letters/send-letter.server";
import { SendQuestion, numberId } from "~/features/admin/network/letters/send-question";
import { SendingOffNotice } from "~/features/admin/network/letters/sending-off-notice";
import { ConfirmFirst } from "~/features/auth/sign-in/confirm-first";
import { hasRecentSignIn, requireRecent } from "~/features/auth/sign-in/recent-sign-in.server";
import { requireAdminOr503 } from "~/features/auth/require-admin.server";
import { createAdminHeaders } from "~/lib/http/admin-headers";
import { adminAreaHandle } from "~/lib/pages/admin-area";
import { getSite } from "~/server/default-site.server";
import { guardPost } from "~/server/forms/guard.server";
import { parseFields } from "~/server/forms/parse-form.server";
import type { SiteContext } from "~/server/site-context.server";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { Notice } from "~/ui/frame/notice";

const title = "Check the letter";

export const meta = unlistedMetaFor({ title });

export const handle = adminAreaHandle;

/** Keeps the page out of all caches. */
export const headers = () => ({ "Cache-Control": "no-store" });

/** Loads a complete draft and its recipients. Redirects any other letter to its page. */
export async function loader({ request, context, params }: LoaderFunctionArgs) {
  const site = getSite(context);
  const { client, setCookies, generatedPasswordOf, signedIn } = await requireAdminOr503(site, request);
  const { siteUrl } = site.settings;
  const letter = await requireLetter(client, params.letterId, composeFooter(siteUrl));
  if (letter.state !== "draft") throw leadTo(site, letterPath(letter.id), undefined, setCookies);
  if (!isComplete(letter)) throw leadTo(site, letterPath(letter.id), "letterIncomplete", setCookies);
  const recipients = await countRecipients(client, letter);
  if (!recipients.ok) throw new Response(null, { status: recipients.status });
  const sample = composeSample(letter, recipients.data.names, siteUrl);
  const found = { letter, recipients: recipients.data, sample, canSend: hasPostalAddress() };
  return data(
    { ...found, ownAddress: signedIn.user.email ?? "", generatedPasswordOf },
    { headers: createAdminHeaders(setCookies) },
  );
}

/** Mails the letter to the admin, asks for the number of members, or sends the letter, then redirects. */
export async function action({ request, context, params }: ActionFunctionArgs) {
  const site = getSite(context);
  const { form } = await guardPost(request, context);
  const admin = await requireAdminOr503(site, request);
  const { client, setCookies } = admin;
  const letter = await requireLetter(client, params.letterId);
  const post = parseFields(form, sendFormSchema);
  if (!post.success) throw new Response(null, { status: 400, statusText: "Bad Request" });
  const number = post.data.intent === "send" ? (post.data.number ?? "") : "";
  if (post.data.intent === "send" && number === "") requireRecent(admin, checkPath(letter.id));
  if (number !== "" && !hasRecentSignIn(admin)) {
    context.hasMistakes = true;
    const kept = { failure: null, asked: { typed: number, mistake: null }, isStale: true };
    return data(kept, { status: 403, headers: createAdminHeaders(setCookies) });
  }
  const outcome = await postLetter(client, letter, post.data, site.settings.siteUrl);
  if ("done" in outcome) {
    const next = outcome.done === "letterTried" ? checkPath(letter.id) : letterPath(letter.id);
    return leadTo(site, next, outcome.done, setCookies);
  }
  const { status, ...refused } = outcome;
  context.hasMistakes = status >= 400;
  return data({ ...refused, isStale: false }, { status, headers: createAdminHeaders(setCookies) });
}

export default function CheckLetterPage() {
  const { letter, recipients, sample, canSend, ownAddress, generatedPasswordOf } = useLoaderData<typeof loader>();
  const { failure = null, asked = null, isStale = false } = useActionData<typeof action>() ?? {};
  const mistake = asked?.mistake ?? null;
  return (
    <LetterFrame
      title={title}
      back={{ label: "Change the letter", path: letterPath(letter.id) }}
      generatedPasswordOf={generatedPasswordOf}
    >
      {failure === null ? null : <Notice tone="error" title={messageTitles.adminFailed} text={failure} />}
      {isStale ? <ConfirmFirst next={checkPath(letter.id)} /> : null}
      <ErrorSummary mistakes={mistake === null ? [] : [{ controlId: numberId, text: mistake }]} />
      <SendingOffNotice isOff={!canSend} />
      {asked && failure === null ? (
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
    </LetterFrame>
  );
}

function isComplete({ subject, body, to_states }: Letter): boolean {
  return subject !== "" && body !== "" && to_states.length > 0;
}

function leadTo(site: SiteContext, address: string, key: MessageKey | undefined, setCookies: readonly string[]) {
  return redirect(key === undefined ? address : site.notices.addTo(address, key), {
    status: 303,
    headers: createAdminHeaders(setCookies),
  });
}
