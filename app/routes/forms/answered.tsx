import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { answeredPage } from "~/content/pages/answered";
import { unlistedMetaFor } from "~/content/page-meta";
import { useInstantFormat } from "~/ui/frame/time-zone";
import { linkAddress } from "~/lib/pages/link-address";
import { passHeaders } from "~/lib/pages/route-headers";
import { getSite } from "~/server/default-site.server";
import {
  callWithToken,
  guardLinkPost,
  guardLinkVisit,
  leadToLinkPage,
  refuseLink,
  showLinkPage,
} from "~/server/forms/secret-link.server";
import { LinkPage } from "~/ui/content/link-page";

export const headers = passHeaders;

export const meta: MetaFunction<typeof loader> = (page) =>
  unlistedMetaFor(page.data?.message.answered_at ? { title: answeredPage.done } : answeredPage)(page);

const instant = z.iso.datetime({ offset: true });

const linkedMessageSchema = z.object({
  reference: z.string(),
  received_at: instant,
  answered_at: instant.nullable(),
});

/** Shows the message's reference and marks nothing, because email scanners follow links. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const token = await guardLinkVisit(request, context);
  const found = await callWithToken(getSite(context), "inbox", "find_answer_link", token, linkedMessageSchema);
  return showLinkPage({ token, message: found ?? refuseLink() });
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { token } = await guardLinkPost(request, context);
  const marked = await callWithToken(getSite(context), "inbox", "mark_answered", token, linkedMessageSchema);
  if (!marked) refuseLink();
  return leadToLinkPage(context, linkAddress("/answered", token));
}

export default function AnsweredPage() {
  const formatInstant = useInstantFormat();
  const { token, message } = useLoaderData<typeof loader>();
  const words = answeredPage;
  return (
    <LinkPage title={message.answered_at === null ? words.title : words.done}>
      <p className="mt-5">{words.which(message.reference, formatInstant(message.received_at))}</p>
      {message.answered_at === null ? (
        <form method="post" action="/answered" className="mt-8">
          <input type="hidden" name="token" value={token} />
          <button className="button">{words.confirm}</button>
        </form>
      ) : (
        <p className="mt-5">{words.since(formatInstant(message.answered_at))}</p>
      )}
      <p className="mt-8">
        <a href="/admin" className="inline-flex min-h-11 items-center">
          {words.inbox}
        </a>
      </p>
    </LinkPage>
  );
}
