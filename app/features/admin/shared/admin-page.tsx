import type { SerializeFrom } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import type { ReactNode } from "react";
import type { Refusal } from "~/server/forms/admin-refusal.server";
import { KeptPostPage } from "./kept-post";

/** Data of an admin page's loader, and of a post that did not redirect. */
export interface AdminPageProps<Loader, Action> {
  found: NonNullable<SerializeFrom<Loader> extends { found: infer Found } ? Found : never>;
  refused: Extract<SerializeFrom<Action>, object> | null;
}

/**
 * Makes the component of a page from `adminLoader` and `adminAction`. After a refused post whose page cannot be loaded,
 * it shows what was typed.
 */
export function adminPage<Loader, Action = null>(Page: (props: AdminPageProps<Loader, Action>) => ReactNode) {
  return function AdminPage() {
    const { found } = useLoaderData() as { found: AdminPageProps<Loader, Action>["found"] | null };
    const refused = useActionData() as AdminPageProps<Loader, Action>["refused"] | undefined;
    if (found !== null) return <Page found={found} refused={refused ?? null} />;
    const { kept } = (refused ?? {}) as Refusal;
    return kept ? <KeptPostPage {...kept} /> : null;
  };
}
