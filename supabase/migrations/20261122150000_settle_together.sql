-- Mails that are sent side by side end nearly together. Each ending was a call and a transaction of its own, which took more
-- of the processor than writing the mail did.
create function public.settle_mails(attempts jsonb) returns void
language plpgsql security definer
set search_path = ''
as $$
begin
  perform public.settle_mail(ended.mail_id, ended.outcome, ended.error_code)
  from jsonb_to_recordset(attempts) as ended (mail_id uuid, outcome text, error_code text);
end;
$$;

comment on function public.settle_mails(jsonb) is
  'Ends several attempts, all or none: [{mail_id, outcome, error_code}], each as settle_mail, with its errors.';

revoke all on function public.settle_mails(jsonb) from public, anon, authenticated, service_role;
grant execute on function public.settle_mails(jsonb) to service_role;

create or replace function public.newest_migration() returns text
language sql immutable security definer
set search_path = ''
as $$ select '20261122150000' $$;
