-- Times that a wrong clock wrote: once it is corrected, they lie ahead of everything that is written from then on. A mail
-- whose next attempt is a year away is never sent, and an attempt that counts against a limit counts for a year. A
-- virtual machine that starts with the hardware clock of its host, or a battery that is empty, is enough.
--
-- Two remedies: this function brings back what waits for a moment to come, and private.is_recent takes no moment to come
-- for a recent one.

-- Reads each column whose value must come before something goes on, with its longest honest distance from now and the
-- distance that it gets instead when it lies further ahead. Waits and limits end, and expiries come no later than if
-- the clock had been right. Times from which a deletion is counted are not among them: if it is the clock of today that
-- is wrong, a deletion must not come early.
create function public.correct_times() returns integer
language plpgsql security definer
set search_path = ''
as $body$
declare
  corrected integer := 0;
  more integer;
  ahead record;
begin
  -- Looks once an hour, and at once if the clock was set back, which makes the next hour begin later. Reads first: it is
  -- called every few seconds, and even a row lock would be written to the disk.
  if exists (
    select from private.rate_limits as next
    where next.key = 'all:correct-times' and next.resets_at between now() and now() + interval '1 hour'
  ) then
    return 0;
  end if;
  insert into private.rate_limits as next (key, hits, resets_at, lasts)
  values ('all:correct-times', 1, now() + interval '1 hour', interval '1 hour')
  on conflict (key) do update set resets_at = excluded.resets_at;
  for ahead in select * from (
    values
      -- A mail's longest delay (settle_mails) with its tenth. It has waited long enough.
      ('private.email_outbox', 'next_attempt_at', $$interval '6 hours 36 minutes'$$, $$interval '0'$$,
        'due.delivered_at is null and due.gave_up_at is null and due.line is null'),
      -- The longest wait in the line (private.find_turn).
      ('private.email_outbox', 'next_attempt_at', $$interval '5 days'$$, $$interval '5 days'$$, 'due.line is not null'),
      -- More than any session with a mail server takes (claim_due_mail).
      ('private.email_outbox', 'leased_until', $$interval '1 hour'$$, $$interval '1 hour'$$,
        'due.delivered_at is null and due.gave_up_at is null'),
      -- A limit lasts as long as it would have lasted.
      ('private.rate_limits', 'resets_at', 'due.lasts', 'due.lasts', 'true'),
      ('private.account_links', 'expires_at', $$interval '72 hours'$$, $$interval '72 hours'$$,
        $$due.purpose = 'invitation'$$),
      ('private.account_links', 'expires_at', $$interval '30 minutes'$$, $$interval '30 minutes'$$,
        $$due.purpose = 'new-password'$$),
      -- An event happened now at the latest.
      ('private.account_links', 'made_at', $$interval '1 minute'$$, $$interval '0'$$, 'true'),
      ('private.second_factor_attempts', 'attempted_at', $$interval '1 minute'$$, $$interval '0'$$, 'true'),
      ('private.wrong_codes', 'entered_at', $$interval '1 minute'$$, $$interval '0'$$, 'true'),
      ('private.troubles', 'since', $$interval '1 minute'$$, $$interval '0'$$, 'true'),
      ('private.troubles', 'seen_at', $$interval '1 minute'$$, $$interval '0'$$, 'true'),
      -- An end that was not mailed stays later than the mail.
      ('private.troubles', 'ended_at', $$interval '1 minute'$$,
        $$case when due.mailed_at < due.ended_at then interval '1 second' else interval '0' end$$, 'true'),
      ('private.troubles', 'mailed_at', $$interval '1 minute'$$, $$interval '0'$$, 'true'),
      ('private.troubles', 'hook_called_at', $$interval '1 minute'$$, $$interval '0'$$, 'true'),
      ('private.setup_codes', 'expires_at', $$interval '72 hours'$$, $$interval '72 hours'$$, 'true'),
      ('private.factor_permits', 'expires_at', $$interval '15 minutes'$$, $$interval '15 minutes'$$, 'true'),
      -- The longest promise is 240 hours of business days, with 31 closed days. The message gets the promise that it arrived with.
      ('private.open_submissions', 'answer_due_at', $$interval '46 days'$$,
        $$greatest(interval '0', least(interval '46 days', due.answer_due_at - due.created_at))$$,
        $$due.state in ('new', 'in_progress')$$)
  ) as columns_ahead (target, at, longest, instead, of) loop
    execute format(
      'update %s as due set %I = now() + %s where due.%I > now() + %s and %s',
      ahead.target, ahead.at, ahead.instead, ahead.at, ahead.longest, ahead.of
    );
    get diagnostics more = row_count;
    corrected := corrected + more;
  end loop;
  -- Calendar days. The deletion of an unconfirmed request is counted from its due date.
  update private.open_requests as request
  set due_on = case when request.extended_at is null then private.data_rights_due_on(private.today())
    else private.data_rights_extended_to(private.today()) end
  where request.state in ('open', 'in_progress')
    and request.due_on > private.today() + case when request.extended_at is null then 31 else 92 end;
  get diagnostics more = row_count;
  corrected := corrected + more;
  -- The digest of tomorrow is the next one.
  update private.digests as digest set day = private.today(), made_at = now() where digest.day > private.today();
  get diagnostics more = row_count;
  return corrected + more;
end;
$body$;

comment on function public.correct_times is
  'Brings back the times that lie further ahead than any honest one because the clock was wrong '
  'when they were written. Looks once an hour, and at once after the clock was set back. Returns their number.';
revoke all on function public.correct_times from public, anon, authenticated, service_role;
grant execute on function public.correct_times to service_role;
