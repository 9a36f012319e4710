-- Repeats the erasures of the temporary table "erasures" (reference, erased_at, person, hash), which this database does
-- not record; person and hash are null where it holds nothing of the person. Returns the number of people erased or
-- removed from the network, and of letters stopped.
create temporary table due on commit drop as
select case when reference ~ '^(NW|ST|RS)-' then left(reference, 2) else 'DR' end as kind, erasures.*
from erasures where person is not null;

-- Keys that were replaced, and all links to members' pages, because some were ended after the backup. The link of a
-- person who has yet to confirm only ended with the next one.
update private.link_keys as key set ended_at = erasures.erased_at from erasures where key.reference = erasures.reference;
update public.network_members set page_link_at = now() where state <> 'asked';

-- Stops of all mail, and their ends, of a membership that is older than the wish. The last one counts.
with wish as (
  select member.id, due.kind, due.erased_at
  from due join public.network_members as member on private.subject_key(member.email) = due.person
  where due.kind in ('ST', 'RS') and member.asked_at < due.erased_at
), changed as (
  update public.network_members as member
  set unsubscribed_at = case last.kind when 'ST' then last.erased_at end
  from (select distinct on (id) * from wish order by id, erased_at desc) as last
  where member.id = last.id
)
insert into public.network_events (member_id, at, actor_kind, action)
select id, erased_at, 'member', case kind when 'ST' then 'unsubscribed' else 'resumed' end
from wish order by erased_at;

select set_config('private.erases_log', 'on', true);

-- People who left the network, and did not join anew since.
with gone as (
  delete from public.network_members as member using due
  where due.kind = 'NW' and private.subject_key(member.email) = due.person and member.asked_at < due.erased_at
  returning due.reference, due.hash, due.erased_at
)
insert into private.network_departures (reference, email_hash, left_at) select reference, hash, erased_at from gone;

-- The same deletions as by erase_subject (migration "erasure"), with the zero UUID as the admin of the record.
delete from due where kind <> 'DR';
insert into private.erasure_tombstones (reference, email_hash, counts, erased_at, erased_by)
select reference, hash, private.count_subject(person), erased_at, '00000000-0000-0000-0000-000000000000' from due;
delete from private.email_outbox where id in (select own.id from due, private.find_mails_of(due.person) as own);
delete from public.contact_submissions where private.subject_key(email) in (select person from due);
delete from public.data_rights_requests where private.subject_key(email) in (select person from due);
delete from public.network_members where private.subject_key(email) in (select person from due);

select private.stop_letters_after_restore() as letters, (
  select count(*)::integer from (
    select reference from private.erasure_tombstones union all select reference from private.network_departures
  ) as recorded join erasures using (reference)
) as again;
