-- As before, in one statement for all: each mail is written once in place of twice, and with it once in each index.
create or replace function public.settle_mails(attempts jsonb) returns void
language plpgsql security definer
set search_path = ''
as $$
begin
  if exists (
    select from jsonb_to_recordset(settle_mails.attempts) as ended (outcome text)
    where ended.outcome is null or ended.outcome not in ('delivered', 'filed', 'retry', 'rejected')
  ) then
    raise exception 'unknown outcome' using errcode = '22023';
  end if;

  update private.email_outbox as mail
  set leased_until = null,
    last_error = case when ended.is_sent then null else ended.error_code end,
    delivered_at = case when ended.is_sent then now() end,
    gave_up_at = case when ended.is_given_up then now() end,
    -- 15 s, 30 s, 1 min … 6 h; a tenth of jitter keeps a recovered server from getting everything at once.
    next_attempt_at = now()
      + least(interval '15 seconds' * power(2, least(greatest(mail.attempts - 1, 0), 12)), interval '6 hours')
      * (1 + random() / 10),
    body = case
      when (ended.is_sent or ended.is_given_up) and mail.kind in ('firm', 'request-acknowledgement', 'account-link')
      then private.without_tokens(mail.body)
      else mail.body
    end
  from (
    -- Of a mail that ended twice, that it was sent.
    select distinct on (attempt.mail_id) attempt.mail_id, attempt.error_code,
      attempt.outcome in ('delivered', 'filed') as is_sent,
      kept.recipient is not null and (
        attempt.outcome = 'rejected' or (attempt.outcome = 'retry' and kept.created_at < now() - interval '5 days')
      ) as is_given_up
    from jsonb_to_recordset(settle_mails.attempts) as attempt (mail_id uuid, outcome text, error_code text)
    join private.email_outbox as kept on kept.id = attempt.mail_id
    order by attempt.mail_id, is_sent desc
  ) as ended
  where mail.id = ended.mail_id and mail.delivered_at is null;

  delete from private.email_outbox as mail
  using jsonb_to_recordset(settle_mails.attempts) as ended (mail_id uuid, outcome text)
  where mail.id = ended.mail_id
    and mail.forget_when_delivered
    and ended.outcome <> 'filed'
    and (mail.delivered_at is not null or mail.gave_up_at is not null);
end;
$$;

-- As before: one of them.
create or replace function public.settle_mail(mail_id uuid, outcome text, error_code text) returns void
language sql security definer
set search_path = ''
as $$
  select public.settle_mails(jsonb_build_array(
    jsonb_build_object('mail_id', mail_id, 'outcome', outcome, 'error_code', error_code)
  ))
$$;

create or replace function public.newest_migration() returns text
language sql immutable security definer
set search_path = ''
as $$ select '20261123070000' $$;
