import { type ActionFunctionArgs, redirect } from "@remix-run/node";
import { signOut } from "~/features/auth/sign-in/sign-out.server";
import { getSite } from "~/server/default-site.server";
import { guardPost } from "~/server/forms/guard.server";

/** Only a form posts here; as an address it does not exist. */
export function loader(): never {
  throw new Response(null, { status: 404, statusText: "Not Found" });
}

export async function action({ request, context }: ActionFunctionArgs) {
  await guardPost(request, context);
  const setCookies = await signOut(getSite(context), request);
  const headers = new Headers({ "Cache-Control": "no-store" });
  for (const value of [...setCookies, await getSite(context).flash.set("loggedOut")])
    headers.append("Set-Cookie", value);
  return redirect("/login", { status: 303, headers });
}

/** With a page of its own, the missing address shows the not-found page and not bare data. */
export default function LogoutPage() {
  return null;
}
