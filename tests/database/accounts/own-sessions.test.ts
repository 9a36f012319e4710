import { randomUUID } from "node:crypto";
import { beforeAll, expect, it } from "vitest";
import { eachBackend } from "../support/backends.ts";
import { readClaims } from "../support/postgres/json-web-token.ts";
import { type Person, signInAdmin } from "../support/test-backend.ts";

interface Session {
  id: string;
  begun_at: string;
  used_at: string;
  user_agent: string | null;
  is_this: boolean;
}

const hoursAgo = (instant: string | undefined) => Math.round((Date.now() - Date.parse(instant ?? "")) / 3_600_000);

const sessionOf = ({ token }: Person) => readClaims(token).session_id as string;

eachBackend("own sessions of an admin", (backend) => {
  let admin: Person;
  let other: Person;

  beforeAll(async () => {
    [admin, other] = [await signInAdmin(backend), await signInAdmin(backend)];
  });

  const list = async ({ token }: Person) =>
    ((await backend.client(token).rpc("own_account").throwOnError()).data as { sessions: Session[] }).sessions;

  const end = (session_id?: string) => backend.client(admin.token).rpc("end_own_sessions", { session_id });

  /** Adds a session on another device that began, and was last renewed, this long ago. */
  async function addSession(begun: string, used: string | null): Promise<string> {
    const [row] = await backend.sql<{ id: string }>(
      `insert into auth.sessions (id, user_id, user_agent, created_at, refreshed_at)
       values ($1, $2, 'Elsewhere/1', now() - $3::interval, (now() - $4::interval) at time zone 'UTC') returning id`,
      [randomUUID(), admin.id, begun, used],
    );
    return row!.id;
  }

  it("lists own sessions with browser and times, the current one first, then by last use", async () => {
    const unused = await addSession("3 hours", null);
    const used = await addSession("5 hours", "1 hour");
    const sessions = await list(admin);
    expect(sessions.map(({ id, is_this }) => [id, is_this])).toEqual([
      [sessionOf(admin), true],
      [used, false],
      [unused, false],
    ]);
    expect(sessions[1]?.user_agent).toBe("Elsewhere/1");
    expect([sessions[1]?.begun_at, sessions[1]?.used_at, sessions[2]?.used_at].map(hoursAgo)).toEqual([5, 1, 3]);
    expect((await list(other)).map(({ id }) => id)).toEqual([sessionOf(other)]);
  });

  it("ends one own session at a time, and none of another person", async () => {
    const [one, two] = [await addSession("1 hour", null), await addSession("1 hour", null)];
    expect((await end(one).throwOnError()).data).toBe(1);
    expect((await end(one).throwOnError()).data).toBe(0);
    expect((await end(sessionOf(other)).throwOnError()).data).toBe(0);
    const left = (await list(admin)).map(({ id }) => id);
    expect(left).toContain(two);
    expect(left).not.toContain(one);
    expect((await list(other)).map(({ id }) => id)).toEqual([sessionOf(other)]);
  });

  it("ends all own sessions except the current one, even by its own id", async () => {
    await addSession("1 hour", null);
    await end().throwOnError();
    expect((await end(sessionOf(admin)).throwOnError()).data).toBe(0);
    expect((await list(admin)).map(({ id }) => id)).toEqual([sessionOf(admin)]);
    expect((await list(other)).map(({ id }) => id)).toEqual([sessionOf(other)]);
  });
});
