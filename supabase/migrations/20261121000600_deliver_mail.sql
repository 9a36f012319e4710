-- Takes due mail for one worker. Several may run: each mail is leased to one, and a worker that died gives its
-- mails back when the lease ends. So a mail goes out at least once.
create function public.claim_due_mail(batch_size integer, lease_seconds integer)
returns table (
  id uuid, kind text, recipient text, reply_to text, subject text, body text, attempts integer, created_at timestamptz
)
language sql security definer
set search_path = ''
as $$
  with due as (
    select mail.id
    from private.email_outbox as mail
    where mail.delivered_at is null
      and mail.gave_up_at is null
      and mail.next_attempt_at <= now()
      and (mail.leased_until is null or mail.leased_until <= now())
    order by mail.next_attempt_at
    limit least(greatest(batch_size, 0), 100)
    for update skip locked
  )
  update private.email_outbox as mail
  set leased_until = now() + make_interval(secs => lease_seconds), attempts = mail.attempts + 1
  from due
  where mail.id = due.id
  returning
    mail.id, mail.kind, mail.recipient, mail.reply_to, mail.subject, mail.body, mail.attempts, mail.created_at;
$$;

comment on function public.claim_due_mail(integer, integer) is
  'Leases up to batch_size due mails (100 at most) for lease_seconds and counts the attempt. Settle each with settle_mail.';

revoke all on function public.claim_due_mail(integer, integer) from public, anon, authenticated, service_role;
grant execute on function public.claim_due_mail(integer, integer) to service_role;

-- Records how an attempt ended. The firm's own mail is never given up: it is the product of the whole site.
create function public.settle_mail(mail_id uuid, outcome text, error_code text) returns void
language plpgsql security definer
set search_path = ''
as $$
begin
  if outcome is null or outcome not in ('delivered', 'retry', 'rejected') then
    raise exception 'unknown outcome' using errcode = '22023';
  end if;

  update private.email_outbox as mail
  set leased_until = null,
    last_error = case when outcome = 'delivered' then null else error_code end,
    delivered_at = case when outcome = 'delivered' then now() end,
    gave_up_at = case
      when mail.kind = 'acknowledgement'
        and (outcome = 'rejected' or (outcome = 'retry' and mail.created_at < now() - interval '5 days'))
      then now()
    end,
    -- 15 s, 30 s, 1 min … 6 h; a tenth of jitter keeps a recovered server from getting everything at once.
    next_attempt_at = now()
      + least(interval '15 seconds' * power(2, least(greatest(mail.attempts - 1, 0), 12)), interval '6 hours')
      * (1 + random() / 10)
  where mail.id = mail_id and mail.delivered_at is null;
end;
$$;

comment on function public.settle_mail(uuid, text, text) is
  'Ends one attempt: delivered, retry (after a growing pause) or rejected (for good, except for the firm''s mail). '
  'A mail that is already delivered stays so.';

revoke all on function public.settle_mail(uuid, text, text) from public, anon, authenticated, service_role;
grant execute on function public.settle_mail(uuid, text, text) to service_role;
