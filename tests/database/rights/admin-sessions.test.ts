import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { eachBackend } from "../support/backends.ts";
import { sessionOf } from "../support/accounts.ts";
import { type Admin, call, useAdmin } from "../support/admin.ts";
import type { HostedBackend } from "../support/hosted-backend.ts";
import { readClaims } from "../support/postgres/json-web-token.ts";
import { setRows } from "../support/retention.ts";
import { signInAdmin } from "../support/test-backend.ts";

type Session = Record<"id" | "begun_at" | "used_at" | "user_agent", string> & { is_this: boolean };

const hoursAgo = (instant: string | undefined) => Math.round((Date.now() - Date.parse(instant ?? "")) / 3_600_000);

const list = async (admin: Admin): Promise<Session[]> => (await admin.call("own_account")).sessions;

eachBackend("sessions of admins", (backend) => {
  const standingOf = (token: string) => call(backend.client(token), "admin_standing");

  it("make their person an admin only while they exist, even if the token is still valid", async () => {
    const [admin, other] = [await signInAdmin(backend), await signInAdmin(backend)];
    expect(await standingOf(admin.token)).toBe("admin");
    await backend.sql("delete from auth.sessions where id = $1 returning id", [sessionOf(admin)]);
    expect(await standingOf(admin.token)).toBe("none");
    expect(await standingOf(other.token)).toBe("admin");
  });

  it("make no admin once they have expired", async () => {
    const admin = await signInAdmin(backend);
    // The embedded backend computes the expiry from the start.
    const [column, time] = "postgres" in backend ? ["not_after", "1 second"] : ["created_at", "25 hours"];
    await setRows(backend, "auth.sessions", sessionOf(admin), `${column} = now() - interval '${time}'`);
    expect(await standingOf(admin.token)).toBe("none");
  });

  it("make no admin by a token with another person's, an unknown or no session id", async () => {
    if (!("postgres" in backend)) return;
    const { rest } = backend as HostedBackend;
    const [admin, other] = [await signInAdmin(backend), await backend.signIn()];
    for (const session_id of [sessionOf(other), randomUUID(), "", undefined]) {
      expect(await standingOf(rest.signToken({ ...readClaims(admin.token), session_id }))).toBe("none");
    }
    expect(await standingOf(rest.signToken({ ...readClaims(other.token), session_id: sessionOf(admin) }))).toBe("none");
  });

  const admin = useAdmin(backend);
  const other = useAdmin(backend);

  const end = (session_id?: string) => admin.call("end_own_sessions", { session_id });

  /** Adds a session on another device that began, and was last renewed, this long ago. */
  async function addSession(begun: string, used: string | null): Promise<string> {
    const [row] = await backend.sql<{ id: string }>(
      `insert into auth.sessions (id, user_id, user_agent, created_at, refreshed_at)
       values ($1, $2, 'Elsewhere/1', now() - $3::interval, (now() - $4::interval) at time zone 'UTC') returning id`,
      [randomUUID(), admin.id, begun, used],
    );
    return row!.id;
  }

  it("are listed to their admin with browser and times, the current one first, then by last use", async () => {
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

  it("end one at a time at the wish of their admin, and of no other", async () => {
    const [one, two] = [await addSession("1 hour", null), await addSession("1 hour", null)];
    expect(await end(one)).toBe(1);
    expect(await end(one)).toBe(0);
    expect(await end(sessionOf(other))).toBe(0);
    const left = (await list(admin)).map(({ id }) => id);
    expect(left).toContain(two);
    expect(left).not.toContain(one);
    expect((await list(other)).map(({ id }) => id)).toEqual([sessionOf(other)]);
  });

  it("end all together except the current one, even by its own id", async () => {
    await addSession("1 hour", null);
    await end();
    expect(await end(sessionOf(admin))).toBe(0);
    expect((await list(admin)).map(({ id }) => id)).toEqual([sessionOf(admin)]);
    expect((await list(other)).map(({ id }) => id)).toEqual([sessionOf(other)]);
  });
});
