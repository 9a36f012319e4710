import { packageDays } from "../facts";
import { article, type ProcessingActivity } from "./terms";

const requests = "public.data_rights_requests";

/** Requests under GDPR Articles 15 to 21. */
export const answeringRequests: ProcessingActivity = {
  name: "Answering requests about data rights",
  people: "People who make a request, by the form or otherwise",
  legalBasis: `Legal obligation (${article("legalObligation")})`,
  recipients: ["staff", "host", "storage", "supabase", "advisers"],
  elsewhere: "Backups; data packages that the person or an admin downloaded.",
  data: [
    {
      what: "The request",
      purpose: "To do what the person asks, and to prove that it was done.",
      columns: {
        [requests]: "id reference request_type name email description state quarantine_reason version",
      },
      kept: ["closed_requests", "unconfirmed_requests"],
    },
    {
      what: "Its deadlines",
      purpose: `To answer in time (${article("deadline")}).`,
      columns: {
        [requests]:
          "received_at confirmed_at due_on extended_at extension_reason closed_at last_reminder last_reminder_at",
      },
      kept: ["closed_requests", "unconfirmed_requests"],
    },
    {
      what: "Restriction",
      purpose: `To keep data unused, and to announce the end of that (${article("restriction")}).`,
      columns: { [requests]: "frozen_at restriction_ends_on" },
      kept: ["closed_requests"],
    },
    {
      what: "Digests of secret links",
      purpose: "To let nobody but the person confirm, see or withdraw the request.",
      columns: { "private.data_rights_links": "token_hash request_id purpose expires_at used_at" },
      kept: ["status_links"],
    },
    {
      what: "What was done",
      purpose: "To prove that the request was answered, and how.",
      columns: { "public.data_rights_events": "id request_id at actor_kind actor action note" },
      kept: ["closed_requests", "unconfirmed_requests"],
    },
    {
      what: "Data handed over",
      purpose: `To give the person a copy (${article("access")}, ${article("portability")}).`,
      columns: { "private.data_packages": "request_id content available_until link_wanted_at" },
      kept: `${packageDays} days after it was handed over`,
    },
  ],
};

/** What shows afterwards that all this was done. */
export const proving: ProcessingActivity = {
  name: "Proving what was deleted and what staff did",
  people: "People whose data was erased, as a hash of their address; the firm’s staff",
  legalBasis: `Legal obligation (${article("legalObligation")})`,
  recipients: ["staff", "host", "storage", "supabase"],
  elsewhere: "The list of erasures beside the backups, as salted hashes.",
  data: [
    {
      what: "Erasures",
      purpose: "To answer whether somebody was erased, and to erase again after a restore.",
      columns: {
        "private.erasure_tombstones": "id reference email_hash counts erased_at erased_by elsewhere",
      },
      kept: ["records"],
    },
    {
      what: "What staff did",
      purpose: "To see who exported, changed or deleted messages, and who invited or removed whom.",
      columns: { "public.admin_events": "id at actor action submission_id person" },
      kept: ["records"],
    },
    {
      what: "The firm’s time zone",
      purpose: "To count due dates by the firm’s days. It is about nobody.",
      columns: { "private.site_time_zone": "is_only name" },
      kept: "As long as the website runs.",
    },
    {
      what: "The clock that retention goes by",
      purpose: "To delete nothing by a clock that is wrong. It is about nobody.",
      columns: { "private.retention_clock": "is_only seen_at doubted_since" },
      kept: "As long as the website runs.",
    },
    {
      what: "Runs of retention",
      purpose: "To prove that data past its time is deleted. It is about nobody.",
      columns: { "private.retention_runs": "ran_at source counts" },
      kept: ["records"],
    },
  ],
};
