-- Where the clock had been ahead, a digest listed before its correction could be queued beside a later one. Then
-- correct_times could not bring the later one back, and no delivery ran until its day.
delete from private.digests as digest where digest.day < (select max(newest.day) from private.digests as newest);

create or replace function public.queue_digest(morning date, mail jsonb) returns boolean
language plpgsql security definer
set search_path = ''
as $$
begin
  lock table private.digests in share row exclusive mode;
  if exists (select from private.digests as digest where digest.day >= morning) then
    return false;
  end if;
  delete from private.digests as digest where true;
  insert into private.digests (day) values (morning);
  -- One that waits for the mail server is out of date.
  delete from private.email_outbox as late
  where late.kind = 'digest' and late.delivered_at is null and (late.leased_until is null or late.leased_until <= now());
  if mail is not null then
    insert into private.email_outbox (kind, subject, body, forget_when_delivered)
    values ('digest', mail ->> 'subject', mail ->> 'body', true);
  end if;
  return true;
end;
$$;
