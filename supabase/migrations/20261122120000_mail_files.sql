-- Where no mail server is set, a mail is a file that is named after its row and is deleted with it. So the last mail to
-- somebody who was erased keeps its row for as long as its file may be read: 'filed' is delivered, but deletes nothing.
-- What is different: the outcome 'filed'.
create or replace function public.settle_mail(mail_id uuid, outcome text, error_code text) returns void
language plpgsql security definer
set search_path = ''
as $$
begin
  if outcome is null or outcome not in ('delivered', 'filed', 'retry', 'rejected') then
    raise exception 'unknown outcome' using errcode = '22023';
  end if;

  update private.email_outbox as mail
  set leased_until = null,
    last_error = case when outcome in ('delivered', 'filed') then null else error_code end,
    delivered_at = case when outcome in ('delivered', 'filed') then now() end,
    gave_up_at = case
      when mail.recipient is not null
        and (outcome = 'rejected' or (outcome = 'retry' and mail.created_at < now() - interval '5 days'))
      then now()
    end,
    -- 15 s, 30 s, 1 min … 6 h; a tenth of jitter keeps a recovered server from getting everything at once.
    next_attempt_at = now()
      + least(interval '15 seconds' * power(2, least(greatest(mail.attempts - 1, 0), 12)), interval '6 hours')
      * (1 + random() / 10)
  where mail.id = mail_id and mail.delivered_at is null;

  delete from private.email_outbox as mail
  where mail.id = mail_id
    and mail.forget_when_delivered
    and outcome <> 'filed'
    and (mail.delivered_at is not null or mail.gave_up_at is not null);

  update private.email_outbox as mail
  set body = private.without_tokens(mail.body)
  where mail.id = mail_id
    and mail.kind = 'request-acknowledgement'
    and (mail.delivered_at is not null or mail.gave_up_at is not null);
end;
$$;

comment on function public.settle_mail(uuid, text, text) is
  'Ends one attempt: delivered, filed (written to a file, whose row must stay), retry (after a growing pause) or rejected '
  '(for good, except for the firm''s mail). A mail that is already delivered stays so.';

create or replace function public.newest_migration() returns text
language sql immutable security definer
set search_path = ''
as $$ select '20261122120000' $$;
