import { article, type ProcessingActivity } from "./terms";

/** Those who sign in. */
export const keepingAccounts: ProcessingActivity = {
  name: "Accounts of staff",
  people: "The firm’s admins",
  legalBasis: `Legitimate interests (${article("legitimateInterests")})`,
  recipients: ["staff", "host", "supabase"],
  elsewhere: "The tables of the sign-in service: address, bcrypt hash of the password, sessions, sign-ins.",
  data: [
    {
      what: "The admin role",
      purpose: "To let admins, and nobody else, read messages and requests.",
      columns: { "public.user_roles": ["user_id", "role", "granted_at"] },
      kept: "Until it is revoked",
    },
  ],
};
