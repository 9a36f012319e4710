import { redirect } from "@remix-run/node";

/**
 * Redirects password managers to the page where an admin changes the password (W3C, "A Well-Known URL for Changing
 * Passwords").
 */
export function loader(): Response {
  return redirect("/admin/account#password", { status: 303, headers: { "Cache-Control": "no-store" } });
}
