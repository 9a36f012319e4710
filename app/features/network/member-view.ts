import type { Membership } from "./membership.server";

/** A membership as its page shows it. Days are in words. */
export interface MemberView {
  token: string;
  membership: Membership;
  /** day on which this link ends, at the latest */
  linkEnds: string;
  asked: string;
  /** null before the confirmation */
  confirmed: string | null;
  /** last day to confirm */
  confirmBy: string;
  /** last day to say yes to staying; null if no renewal was requested */
  renewBy: string | null;
  /** null unless the member stopped all mail */
  stopped: { on: string; deletedOn: string } | null;
  /** null unless mail to the member was returned */
  returned: { on: string; reason: string } | null;
}
