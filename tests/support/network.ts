import type { Sql } from "./find-text";

/** A member to insert. Everything that is left out is an ordinary, confirmed member's. */
export interface NewMember {
  name: string;
  email?: string;
  company?: string;
  kind?: string;
  fields?: string[];
  state?: "asked" | "confirmed" | "admitted" | "declined";
}

/** Returns the tokens of all members' links by name: of letters, or of their pages. */
export async function readTokens(sql: Sql, to: "letter" | "page"): Promise<Map<string, string>> {
  const rows = await sql<{ name: string; token: string }>(
    "select name, private.member_token(member, $1) as token from public.network_members as member",
    [to],
  );
  return new Map(rows.map(({ name, token }) => [name, token]));
}

/**
 * Inserts members with their log into the database of a stopped site, because asking and confirming takes two posts and
 * an email for each. Each is a minute older than the one before.
 * @returns ids by name
 */
export async function insertMembers(sql: Sql, members: readonly NewMember[]): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  for (const [age, member] of members.entries()) {
    const { name, company = `${name} Capital`, kind = "angel", fields = ["ai"], state = "confirmed" } = member;
    const email = member.email ?? `member-${age}@fund.example`;
    const [row] = await sql<{ id: string }>(
      `with moment as (select now() - make_interval(mins => $1) as at)
         insert into public.network_members (
           email, name, company, kind, fields, check_size, place, qualification, state, asked_at, confirmed_at,
           renewed_at, decided_at, consent_text_hash, consent_policy_version
         )
         select $2, $3, $4, $5, $6, '25k-100k', 'Vermont', 'net-worth', $7, moment.at,
           case when $7 <> 'asked' then moment.at end, case when $7 <> 'asked' then moment.at end,
           case when $7 in ('admitted', 'declined') then moment.at end, repeat('a', 64), '1.0'
         from moment
         returning id`,
      [age, email, name, company, kind, fields, state],
    );
    if (!row) throw new Error("The member was not inserted.");
    ids.set(name, row.id);
    const steps = state === "asked" ? ["asked"] : ["asked", "confirmed"];
    for (const action of steps)
      await sql(
        `insert into public.network_events (member_id, at, actor_kind, action)
           select id, asked_at, 'member', $2 from public.network_members where id = $1`,
        [row.id, action],
      );
  }
  return ids;
}

/** Inserts counts of the network for today at the firm. */
export async function insertNetworkCounts(sql: Sql, counts: Record<string, number>): Promise<void> {
  for (const [name, number] of Object.entries(counts))
    await sql("insert into private.day_counts (day, kind, name, number) values (private.today(), 'network', $1, $2)", [
      name,
      number,
    ]);
}
