import { article, type ProcessingActivity } from "./terms";

const submissions = "public.contact_submissions";

/** The contact form and the inbox. */
export const answeringMessages: ProcessingActivity = {
  name: "Answering messages",
  people: "People who write with the contact form",
  legalBasis: `Consent (${article("consent")}); against abuse, legitimate interests (${article("legitimateInterests")})`,
  recipients: ["staff", "host", "storage", "supabase", "advisers"],
  elsewhere: "Backups; CSV files that an admin downloaded.",
  data: [
    {
      what: "What the sender entered",
      purpose: "To answer, and to prepare a conversation or a proposal that was asked for.",
      columns: { [submissions]: "name email company stage goal message" },
      kept: ["contact_submissions"],
    },
    {
      what: "Reference, time and state",
      purpose: "To find the message, and to see how far it is.",
      columns: { [submissions]: "id created_at state version" },
      kept: ["contact_submissions"],
    },
    {
      what: "By when it must be answered, and when it was",
      purpose: "To answer in the time that the website promises, and to notice what was marked without a sign-in.",
      columns: {
        [submissions]: "answer_due_at answered_at answer_notice waiting_since marked_by_link_at",
        "private.answer_links": "token_hash submission_id",
      },
      kept: ["contact_submissions"],
    },
    {
      what: "Our replies, and drafts of them",
      purpose: "To answer, to know what was answered and by whom, and to go on with a reply that was begun.",
      columns: {
        "private.message_replies": "id submission_id written_by written_at body",
        "private.reply_drafts": "submission_id saved_by saved_at body",
      },
      kept: ["contact_submissions"],
    },
    {
      what: "Texts for replies",
      purpose: "To use a text of the firm again. They are about nobody.",
      columns: { "private.reply_snippets": "id name body version" },
      kept: "Until an admin deletes them.",
    },
    {
      what: "Search words",
      purpose: "To find the message by its words.",
      columns: { "private.submission_search": "submission_id created_at words" },
      kept: ["contact_submissions"],
    },
    {
      what: "The sender’s agreement",
      purpose: "To prove consent (Article 7(1) GDPR).",
      columns: { [submissions]: "consented_at consent_policy_version consent_text_hash" },
      kept: ["contact_submissions"],
    },
    {
      what: "IP address",
      purpose: "To recognize abuse.",
      columns: { [submissions]: "ip_address" },
      kept: ["sender_addresses"],
    },
    {
      what: "Spam check",
      purpose: "To keep what a program filled in apart.",
      columns: { [submissions]: "quarantine_reason" },
      kept: ["contact_submissions"],
    },
    {
      what: "Restriction",
      purpose: `To keep the message unused where its sender asked for that (${article("restriction")}).`,
      columns: { [submissions]: "frozen_at" },
      kept: ["contact_submissions"],
    },
    {
      what: "Fingerprint of the message",
      purpose: "To store a message that is sent twice only once.",
      columns: { "private.contact_receipts": "fingerprint submission_id received_at" },
      kept: ["receipts"],
    },
  ],
};

/** The outbox. */
export const sendingEmail: ProcessingActivity = {
  name: "Sending email",
  people: "People who write or make a request, and the firm’s staff",
  legalBasis: "That of the message or request which the email is about",
  recipients: ["staff", "host", "storage", "supabase", "mail"],
  elsewhere:
    "Without a mail server, files in the data folder, deleted with their row; with one, the mailboxes of both sides.",
  data: [
    {
      what: "The emails",
      purpose:
        "To tell the firm of messages and requests, to reply, to tell senders what became of theirs, and to tell staff what happened with their accounts.",
      columns: {
        "private.email_outbox":
          "id submission_id request_id account_link_id kind recipient reply_to subject body thread created_at",
      },
      kept: ["mails"],
    },
    {
      what: "Their delivery",
      purpose: "To try again after a failure, and to give up in time.",
      columns: {
        "private.email_outbox":
          "attempts next_attempt_at leased_until delivered_at gave_up_at last_error forget_when_delivered",
      },
      kept: ["mails"],
    },
    {
      what: "The last morning digest",
      purpose: "To send the firm one digest a working morning. It names nobody.",
      columns: { "private.digests": "day made_at" },
      kept: "Until the next.",
    },
  ],
};
