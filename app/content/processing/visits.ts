import { acknowledgementLimits } from "../facts";
import { article, type ProcessingActivity } from "./terms";

/** Consent to cookies. */
export const rememberingChoices: ProcessingActivity = {
  name: "Remembering choices about cookies",
  people: "Visitors who chose, or whose browser sends a signal; known by a random number only",
  legalBasis: `Legal obligation (${article("legalObligation")}): consent must be provable (Article 7(1) GDPR)`,
  recipients: ["host", "storage", "supabase"],
  elsewhere: "The visitor’s own cookie; backups.",
  data: [
    {
      what: "The choice that holds",
      purpose: "To set only cookies that were allowed.",
      columns: {
        "public.user_consents":
          "session_id analytics_consent marketing_consent functional_consent user_agent consent_version updated_at",
      },
      kept: ["consents", "withdrawn_consents", "signal_records"],
    },
    {
      what: "All choices",
      purpose: "To prove who allowed what, when, and on which words.",
      columns: {
        "private.consent_history":
          "session_id analytics_consent marketing_consent functional_consent consent_version text_hash source decided_at recorded_at",
      },
      kept: ["consents", "withdrawn_consents", "signal_records"],
    },
  ],
};

/** Every visit. */
export const deliveringPages: ProcessingActivity = {
  name: "Delivering pages and keeping abuse away",
  people: "Everybody who opens the website",
  legalBasis: `Legitimate interests (${article("legitimateInterests")})`,
  recipients: ["host", "storage", "supabase"],
  elsewhere:
    "What a browser sends is used to answer it. The program’s log names no visitor; access logs of the provider are the provider’s.",
  data: [
    {
      what: "Counts by a code of the IP address or of the account",
      purpose: "To limit attempts to sign in, and emails.",
      columns: { "private.rate_limits": "key hits resets_at" },
      kept: `${acknowledgementLimits.countedHours} hours at most, then until the next count or run`,
    },
  ],
};

/** Every view of a page, as a number. */
export const countingViews: ProcessingActivity = {
  name: "Counting views of pages",
  people: "Nobody: what is kept are sums of a day, from which no visitor can be told",
  legalBasis: `Legitimate interests (${article("legitimateInterests")}), as far as a browser’s request is read to be counted`,
  recipients: ["host", "storage", "supabase"],
  elsewhere: "For about a minute in the server’s memory, as sums. Nothing is stored on a visitor’s device.",
  data: [
    {
      what: "How often each page was viewed on a day, from which sites and campaigns, and what came of it",
      purpose: "To know which pages serve their readers, without watching anybody.",
      columns: { "private.day_counts": "day kind name number" },
      kept: ["day_counts"],
    },
    {
      what: "Random numbers of the server’s reports",
      purpose: "To add a report once that comes twice.",
      columns: { "private.count_reports": "id received_at" },
      kept: ["receipts"],
    },
  ],
};

/** Where the operator has set it up. */
export const countingVisits: ProcessingActivity = {
  name: "Counting visits with Google Analytics",
  people: "Visitors who allowed it",
  legalBasis: `Consent (${article("consent")})`,
  recipients: ["google"],
  elsewhere: "At Google; nothing of it is in this site’s database.",
  data: [],
  only: "analytics",
};
