import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { eachBackend } from "../support/backends.ts";
import type { HostedBackend } from "../support/hosted-backend.ts";
import { readClaims } from "../support/postgres/json-web-token.ts";
import { type Person, signInAdmin } from "../support/test-backend.ts";

const sessionOf = ({ token }: Person) => readClaims(token).session_id;

eachBackend("admin session", (backend) => {
  /** Returns whether the token opens the inbox, and expects the person's standing to agree. */
  async function canOpenInbox(token: string): Promise<boolean> {
    const client = backend.client(token);
    const isAdmin = (await client.rpc("admin_standing").throwOnError()).data === "admin";
    expect((await client.rpc("read_inbox")).error?.code).toBe(isAdmin ? undefined : "42501");
    return isAdmin;
  }

  it("opens the inbox only while the session exists, even if the token is still valid", async () => {
    const [admin, other] = [await signInAdmin(backend), await signInAdmin(backend)];
    expect(await canOpenInbox(admin.token)).toBe(true);
    await backend.sql("delete from auth.sessions where id = $1 returning id", [sessionOf(admin)]);
    expect(await canOpenInbox(admin.token)).toBe(false);
    expect(await canOpenInbox(other.token)).toBe(true);
  });

  it("opens nothing once it has expired", async () => {
    const admin = await signInAdmin(backend);
    if (!("postgres" in backend)) {
      // The embedded backend computes the expiry from these.
      await backend.sql(
        "update auth.sessions set created_at = now() - interval '25 hours' where id = $1 returning id",
        [sessionOf(admin)],
      );
    } else {
      const end = "update auth.sessions set not_after = now() - interval '1 second' where id = $1 returning id";
      await backend.sql(end, [sessionOf(admin)]);
    }
    expect(await canOpenInbox(admin.token)).toBe(false);
  });

  it("opens nothing by a token with another person's, an unknown or no session id", async () => {
    if (!("postgres" in backend)) return;
    const { rest } = backend as HostedBackend;
    const [admin, other] = [await signInAdmin(backend), await backend.signIn()];
    for (const session_id of [sessionOf(other), randomUUID(), "", undefined]) {
      expect(await canOpenInbox(rest.signToken({ ...readClaims(admin.token), session_id }))).toBe(false);
    }
    expect(await canOpenInbox(rest.signToken({ ...readClaims(other.token), session_id: sessionOf(admin) }))).toBe(
      false,
    );
  });
});
