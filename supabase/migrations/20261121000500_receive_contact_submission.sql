-- Keeps one message and queues its mail, all or nothing.
create function public.receive_contact_submission(
  submission jsonb,
  fingerprint text,
  quarantine_reason text,
  mails jsonb
) returns table (submission_id uuid, is_new boolean)
language plpgsql security definer
set search_path = ''
as $$
#variable_conflict use_column
declare
  new_id uuid := gen_random_uuid();
  kept_id uuid;
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
    (id, name, email, company, stage, goal, message, ip_address, quarantine_reason)
  values (
    new_id,
    submission ->> 'name',
    submission ->> 'email',
    submission ->> 'company',
    submission ->> 'stage',
    submission ->> 'goal',
    submission ->> 'message',
    submission ->> 'ip_address',
    receive_contact_submission.quarantine_reason
  );

  if receive_contact_submission.quarantine_reason is null then
    -- Posts for one address take turns, so that the count below is true however many come at once.
    perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended(lower(submission ->> 'email'), 0));
    insert into private.email_outbox (submission_id, kind, recipient, reply_to, subject, body)
    select new_id, mail ->> 'kind', mail ->> 'recipient', mail ->> 'reply_to', mail ->> 'subject', mail ->> 'body'
    from jsonb_array_elements(mails) as mail
    -- Anybody may type anybody's address: nobody gets more than three acknowledgements a day.
    where mail ->> 'kind' <> 'acknowledgement' or (
      select count(*) < 3
      from private.email_outbox as earlier
      where earlier.kind = 'acknowledgement'
        and lower(earlier.recipient) = lower(mail ->> 'recipient')
        and earlier.created_at > now() - interval '24 hours'
    );
  end if;

  return query select new_id, true;
end;
$$;

comment on function public.receive_contact_submission(jsonb, text, text, jsonb) is
  'Stores a submission once a day and fingerprint, and queues its mails unless it is quarantined. '
  'mails: [{kind, recipient, reply_to, subject, body}]. Raises 23514 or 23502 for a text that is too long or missing.';

revoke all on function public.receive_contact_submission(jsonb, text, text, jsonb)
  from public, anon, authenticated, service_role;
grant execute on function public.receive_contact_submission(jsonb, text, text, jsonb) to service_role;
