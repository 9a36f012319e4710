import type { MetaFunction, SerializeFrom } from "@remix-run/node";
import { z } from "zod";
import type { NoticeRules } from "~/content/messages";
import { unlistedMetaFor } from "~/content/page-meta";
import { callAdmin } from "~/features/admin/shared/admin-call.server";
import { adminPage } from "~/features/admin/shared/admin-page";
import { saveDraft } from "~/features/admin/network/letters/letter-draft.server";
import { LetterPage, type RefusedLetter } from "~/features/admin/network/letters/letter-page";
import { checkPath, letterPath, lettersPath } from "~/features/admin/network/letters/letter-words";
import { findLetter } from "~/features/admin/network/letters/letters.server";
import { letterVerbs } from "~/features/admin/network/letters/send-letter.server";
import {
  adminAction,
  adminHeaders,
  adminLoader,
  badRequest,
  requireData,
  requireId,
} from "~/features/auth/admin-page.server";
import { adminAreaHandle } from "~/lib/pages/admin-area";

// The subject is in no title: browsers keep those.
export const meta: MetaFunction<typeof loader> = (page) =>
  unlistedMetaFor({ title: page.data?.found?.title ?? "Letter" })(page);

const notices: NoticeRules<SerializeFrom<typeof loader>> = {
  letterSaved: ({ found }) => found?.letter?.state === "draft",
  letterIncomplete: ({ found }) => found?.letter?.state === "draft",
  letterSent: ({ found }) => found?.letter?.state === "sending",
  letterResent: ({ found }) => found?.letter?.state === "sending",
  letterStopped: ({ found }) => found?.letter?.state === "stopped",
};
export const handle = { ...adminAreaHandle, notices };

export const headers = adminHeaders;

export const loader = adminLoader(async ({ client, params }) => {
  const isNew = params.letterId === "new";
  const letter = isNew ? null : requireData(await findLetter(client, requireId(params.letterId)));
  const title =
    letter === null ? "New letter" : letter.state === "draft" ? "Draft of a letter" : "Letter to the network";
  return { title, letter, newId: crypto.randomUUID() };
});

/** Saves or deletes the draft, or stops the letter, then redirects. A draft that is not saved comes back in its form. */
export const action = adminAction<RefusedLetter>(
  async ({ params, form, admin: { client }, unconfirmed, show, leadTo }) => {
    const isNew = params.letterId === "new";
    const id = z.uuid().safeParse(isNew ? form.get("letter") : params.letterId).data;
    const intent = String(form.get("intent"));
    if (id === undefined) throw badRequest();
    if (intent === "save" || intent === "check") {
      const saved = await saveDraft(client, id, form);
      if ("next" in saved)
        return saved.next === "check" ? leadTo(checkPath(id)) : leadTo(letterPath(id), "letterSaved");
      const { refused: draft, failure, status } = saved;
      return show({ id, draft, failure }, status);
    }
    if (!Object.hasOwn(letterVerbs, intent)) throw badRequest();
    const { call, asks, notice, next } = letterVerbs[intent as keyof typeof letterVerbs];
    requireData(await findLetter(client, id));
    // To send again loses nothing, so no question comes first.
    if (asks !== null && unconfirmed) return show({ title: asks, question: unconfirmed });
    const result = await callAdmin(client, call, { letter_id: id }, z.unknown());
    if (!result.ok) return show({ failure: result.text }, result.status);
    return leadTo(next(id), notice);
  },
  {
    texts: [
      { name: "subject", label: "Subject" },
      { name: "body", label: "Text", rows: 14 },
    ],
    list: { label: "Go to the letters", path: lettersPath },
  },
);

export default adminPage<typeof loader, typeof action>(LetterPage);
