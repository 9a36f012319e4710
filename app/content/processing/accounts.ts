import { article, type ProcessingActivity } from "./terms";

/** Those who sign in. */
export const keepingAccounts: ProcessingActivity = {
  name: "Accounts of staff",
  people: "The firm’s admins",
  legalBasis: `Legitimate interests (${article("legitimateInterests")})`,
  recipients: ["staff", "host", "storage", "supabase", "mail"],
  elsewhere:
    "The tables of the sign-in service: address, bcrypt hash of the password, sessions with the browser’s user agent, sign-ins, the sealed key of a second factor.",
  data: [
    {
      what: "The admin role",
      purpose: "To let admins, and nobody else, read messages and requests.",
      columns: { "public.user_roles": "user_id role granted_at" },
      kept: "Until it is revoked",
    },
    {
      what: "The second factor",
      purpose: "To let nobody in who has only learned a password, and its owner when they have lost their device.",
      columns: {
        "private.second_factor_rule": "is_required",
        "private.trusted_factors": "factor_id user_id trusted_at",
        "private.recovery_codes": "user_id digest",
        "private.setup_codes": "user_id digest expires_at",
        "private.factor_permits": "session_id user_id expires_at is_session_new",
        "private.second_factor_attempts": "user_id session_id attempted_at",
        "private.wrong_codes": "user_id entered_at",
      },
      kept: "Until it is turned off or the account ends; setup codes until they are used or the next is made after 72 hours; tries, and who may set one up, until the next one after 15 minutes",
    },
    {
      what: "Invitations, and links to set a new password",
      purpose: "To let somebody into an account who proves by a link in their mailbox that it is theirs.",
      columns: {
        "private.account_links": "id token_hash purpose email user_id invited_by made_at expires_at claimed_at",
      },
      kept: "Until they are used or withdrawn, or a day after they expired (72 hours and 30 minutes after they were made)",
    },
    {
      what: "What happened with an account: sign-ins (time, browser and system in words), changes of the password and the second factor, and wrong codes",
      purpose: "To show its owner, and tell them by email, what they may not have done themselves.",
      columns: {
        "private.account_events": "id user_id at kind session_id device is_new_device is_mail_due",
      },
      kept: ["account_events"],
    },
  ],
};
