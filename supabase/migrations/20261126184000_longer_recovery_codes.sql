-- Recovery codes of 120 bits. From 112 bits on, a plain digest is enough (OWASP ASVS 5, 6.5.2); shorter codes would need a salted, slow
-- hash, and a wrong code would cost one of them for each of a person's ten.

create or replace function public.create_recovery_codes() returns text[]
language plpgsql security definer
set search_path = ''
as $$
declare
  codes text[];
begin
  perform private.require_admin();
  if auth.jwt() ->> 'aal' is distinct from 'aal2' then
    raise exception 'recovery codes are for those who have a second factor' using errcode = '42501';
  end if;
  -- A version 4 UUID has 122 random bits.
  select array_agg(substr(encode(sha256(uuid_send(gen_random_uuid())), 'hex'), 1, 30)) into codes
  from generate_series(1, 10);
  delete from private.recovery_codes where user_id = auth.uid();
  insert into private.recovery_codes (user_id, digest)
  select auth.uid(), encode(sha256(convert_to(code, 'UTF8')), 'hex') from unnest(codes) as code;
  return codes;
end;
$$;

comment on function public.create_recovery_codes() is
  'Replaces the caller''s recovery codes with ten of 30 hexadecimal digits. Raises 42501 unless the caller is an admin who has '
  'used a second factor in this session.';

create or replace function public.newest_migration() returns text
language sql immutable security definer
set search_path = ''
as $$ select '20261126184000' $$;
