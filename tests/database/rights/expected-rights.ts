/** Callers of the database, from the one with the fewest rights on, with their roles in PostgreSQL. */
export const roleOf = {
  visitor: "anon",
  person: "authenticated",
  "admin without the second factor": "authenticated",
  admin: "authenticated",
  service: "service_role",
} as const;

export type RightsCaller = keyof typeof roleOf;

export const callers = Object.keys(roleOf) as RightsCaller[];

const signedIn: RightsCaller[] = ["person", "admin without the second factor", "admin"];

/** Callers of the functions in the schema `public`. No caller may use one in `private`. */
const functionsByCallers: [RightsCaller[], string][] = [
  [["visitor"], "count_attempt newest_migration"],
  [
    // The token or the session id in the arguments is the credential.
    ["visitor", ...signedIn],
    `change_membership confirm_data_rights_request confirm_membership discard_membership_change end_page_links
     erase_consent fetch_package find_account_link find_answer_link find_consent find_data_rights_status
     find_mail_state find_membership find_package leave_network mark_answered request_package_link
     resubscribe_member unsubscribe_member withdraw_data_rights_request`,
  ],
  [signedIn, "admin_standing count_recovery_codes record_sign_in record_wrong_code"],
  [
    ["admin"],
    `answer_times begin_factor_removal correct_record count_letter_recipients create_recovery_codes delete_letter
     delete_reply_snippet delete_spam delete_submission end_own_sessions enter_request erase_subject
     export_network_members export_subject_data export_submissions find_letter find_mail find_neighbors
     find_network_member find_request find_submission invite_admin list_letters list_network_members
     list_reply_snippets list_undelivered own_account read_day_counts read_inbox read_people read_requests
     remove_admin remove_network_member resend_answer resend_letter resend_message_mail resend_request_links
     restore_submission review_network_member save_letter save_own_name save_reply_draft save_reply_snippet
     send_letter send_network_link send_reply send_waiting_mail set_submission_state stop_letter take_back_reply take_request_step
     try_letter undo_submission_change withdraw_invitation`,
  ],
  [
    ["service"],
    `add_day_counts ask_network_link claim_account_link claim_due_mail claim_letter_recipients claim_trouble_calls
     correct_times count_unsigned_call finish_account_link grant_named_admin keep_retention list_due_account_mails
     list_due_network_mails list_due_reminders list_due_trouble_mails list_firm_notices outbox_status
     queue_account_mail queue_answer_notice queue_digest queue_letter_mail queue_network_mail queue_reminder
     queue_trouble_mail read_site_facts receive_contact_submission receive_data_rights_request record_consent
     release_account_link release_waiting_mail report_trouble request_new_password require_second_factor
     set_site_facts settle_mails settle_trouble_call use_recovery_code use_setup_code`,
  ],
];

/** Calls that are not refused, as "caller: function". */
export const expectedCalls = functionsByCallers
  .flatMap(([allowed, names]) =>
    names.split(/\s+/).flatMap((name) => allowed.map((caller) => `${caller}: public.${name}`)),
  )
  .toSorted();

/** Grants that these rights need, as "role: function". */
export const expectedGrants = [
  ...new Set(expectedCalls.map((right) => right.replace(/^[^:]+/, (caller) => roleOf[caller as RightsCaller]))),
].toSorted();
