import { waitForMail } from "./data-rights";
import { filledContactForm } from "./visitor";

/** A completed contact form that also asks to join the investor network. Give each test its own email address. */
export const filledJoinForm = {
  ...filledContactForm,
  name: "Mary Jackson",
  company: "Tunnel Fund",
  stage: "Investor",
  goal: "Join the investor network",
  joinNetwork: "on",
  kind: "angel",
  fields: "ai",
  checkSize: "25k-100k",
  place: "Oregon",
  qualification: "license",
};

/** Address of the contact form with the box to join. */
export const joinAddress = "/contact?about=investors&want=network";

/**
 * Waits for an email with a link to a member's page, in a product without a mail server.
 * @param known links that arrived earlier
 * @returns path and query of the link, token included
 */
export async function readNetworkLink(
  dataDir: string,
  address: string,
  known: readonly string[] = [],
): Promise<string> {
  return (await waitForMail(dataDir, address, /\/network\?token=[\w-]{64}/, known)).match;
}

/** Returns the token of a link. */
export function tokenOf(link: string): string {
  return link.split("token=")[1] ?? "";
}
