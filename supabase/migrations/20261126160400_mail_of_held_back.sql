-- A message that is held back is mailed to the firm all the same where its mail says so: a password manager that filled in the hidden
-- field must not lose a lead. Otherwise as before.
create or replace function public.receive_contact_submission(
  submission jsonb,
  fingerprint text,
  quarantine_reason text,
  mails jsonb,
  client_codes jsonb default '{}',
  acknowledgements_per_hour integer default null
) returns table (submission_id uuid, is_new boolean)
language plpgsql security definer
set search_path = ''
as $$
#variable_conflict use_column
declare
  new_id uuid := gen_random_uuid();
  kept_id uuid;
  withheld text;
begin
  loop
    -- Of twenty equal posts at once, one inserts; the others wait for its end here and then find it.
    insert into private.contact_receipts as receipt (fingerprint, submission_id)
    values (receive_contact_submission.fingerprint, new_id)
    on conflict (fingerprint) do update
      set submission_id = excluded.submission_id, received_at = now()
      where receipt.received_at < now() - interval '24 hours'
    returning receipt.submission_id into kept_id;
    exit when found;

    select receipt.submission_id into kept_id
    from private.contact_receipts as receipt
    where receipt.fingerprint = receive_contact_submission.fingerprint;
    if found then
      return query select kept_id, false;
      return;
    end if;
    -- The earlier message was erased in between: this one counts.
  end loop;

  insert into public.contact_submissions
    (id, name, email, company, stage, goal, message, ip_address, quarantine_reason, answer_due_at,
      consented_at, consent_policy_version, consent_text_hash)
  values (
    new_id,
    submission ->> 'name',
    submission ->> 'email',
    submission ->> 'company',
    submission ->> 'stage',
    submission ->> 'goal',
    submission ->> 'message',
    submission ->> 'ip_address',
    receive_contact_submission.quarantine_reason,
    (submission ->> 'answer_due_at')::timestamptz,
    case when (submission ->> 'consented')::boolean then now() end,
    submission ->> 'consent_policy_version',
    submission ->> 'consent_text_hash'
  );

  if receive_contact_submission.quarantine_reason is null then
    withheld := private.withhold_acknowledgement(mails, client_codes, acknowledgements_per_hour);
    insert into private.email_outbox (submission_id, kind, recipient, reply_to, subject, body)
    select new_id, mail ->> 'kind', mail ->> 'recipient', mail ->> 'reply_to',
      private.fill_reference(mail ->> 'subject', mail, new_id),
      private.fill_reference(mail ->> 'body', mail, new_id) || coalesce(mail -> 'if_withheld' ->> withheld, '')
    from jsonb_array_elements(mails) as mail
    where mail ->> 'kind' <> 'acknowledgement' or withheld is null;
    insert into private.answer_links (token_hash, submission_id)
    select submission ->> 'answer_token_hash', new_id where submission ? 'answer_token_hash';
  else
    -- Nothing leaves to the sender, and nobody can mark as answered what nobody has let in.
    insert into private.email_outbox (submission_id, kind, recipient, reply_to, subject, body)
    select new_id, 'firm', null, mail ->> 'reply_to',
      private.fill_reference(mail ->> 'subject', mail, new_id), private.fill_reference(mail ->> 'body', mail, new_id)
    from jsonb_array_elements(mails) as mail
    where mail ->> 'kind' = 'firm' and (mail ->> 'is_of_held')::boolean;
  end if;

  return query select new_id, true;
end;
$$;

comment on function public.receive_contact_submission(jsonb, text, text, jsonb, jsonb, integer) is
  'Stores a submission once a day and fingerprint, and queues its mails; of one that is quarantined only mails to the firm with is_of_held. '
  'mails: [{kind, recipient, reply_to, subject, body, is_notice, is_of_held, if_withheld}]; of a mail with is_notice, {{reference}} and '
  '{{id}} are filled in; if_withheld: {mailbox, client, site}, of which the '
  'one that applies is added to the body when the acknowledgement does not leave. client_codes: {client, network}. '
  'submission: the texts, ip_address, consented, consent_policy_version, consent_text_hash, answer_due_at, and the SHA-256 of the '
  'token by which the firm''s mail leads to find_answer_link as answer_token_hash; all but the texts may be missing. Raises 23514 or 23502 for a text that is too long or missing.';

create or replace function public.newest_migration() returns text
language sql immutable security definer
set search_path = ''
as $$ select '20261126160400' $$;
