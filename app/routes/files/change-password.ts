import { redirect } from "@remix-run/node";

/** Redirects password managers to the page that changes a password (W3C, "A Well-Known URL for Changing Passwords"). */
export function loader(): Response {
  return redirect("/admin/account#password", { status: 303, headers: { "Cache-Control": "no-store" } });
}
