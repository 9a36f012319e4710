-- Mails name days as the website does: "December 21, 2026".

-- A day in words, in American English whatever the server's language is: without TM, to_char always names months in English.
create function private.day_in_words(day date) returns text
language sql stable
set search_path = ''
as $$ select to_char(day::timestamp, 'FMMonth FMDD, YYYY') $$;

revoke all on function private.day_in_words(date) from public, anon, authenticated, service_role;

-- As before, but for the form of its days.
create or replace function private.queue_request_mail(
  request public.data_rights_requests, kind text, recipient text, mail jsonb, forget_when_delivered boolean
) returns void
language plpgsql
set search_path = ''
as $$
declare
  subject text := mail ->> 'subject';
  body text := mail ->> 'body';
begin
  if coalesce(btrim(subject), '') = '' or coalesce(btrim(body), '') = ''
    or char_length(subject) > 200 or subject ~ '[\r\n]' or char_length(body) > 20000 then
    raise exception 'a mail needs a subject of one line and a body' using errcode = '22023';
  end if;
  insert into private.email_outbox (request_id, kind, recipient, subject, body, forget_when_delivered)
  select
    case when queue_request_mail.forget_when_delivered then null else request.id end,
    queue_request_mail.kind,
    queue_request_mail.recipient,
    filled.texts[1],
    filled.texts[2],
    queue_request_mail.forget_when_delivered
  from (
    select array_agg(
      replace(
        replace(
          replace(
            replace(part, '{{reference}}', request.reference),
            '{{due_on}}', private.day_in_words(request.due_on)
          ),
          '{{confirm_by}}', private.day_in_words(private.confirm_by(request.due_on))
        ),
        '{{restriction_ends_on}}', coalesce(private.day_in_words(request.restriction_ends_on), '')
      ) order by place
    ) as texts
    from unnest(array[subject, body]) with ordinality as parts (part, place)
  ) as filled;
end;
$$;

create or replace function public.newest_migration() returns text
language sql immutable security definer
set search_path = ''
as $$ select '20261122180000' $$;
