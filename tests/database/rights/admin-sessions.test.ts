import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { backends } from "../support/backends.ts";
import { receive } from "../support/examples.ts";
import type { HostedBackend } from "../support/hosted-backend.ts";
import { readClaims } from "../support/postgres/json-web-token.ts";
import { type Person, type TestBackend, signInAdmin } from "../support/test-backend.ts";

const sessionOf = ({ token }: Person) => readClaims(token).session_id;

describe.each(backends)("an admin's session: $name", ({ start }) => {
  let backend: TestBackend;

  beforeAll(async () => {
    backend = await start();
    await receive(backend.service).throwOnError();
  });
  afterAll(() => backend?.close());

  /** Whether the token still opens the inbox, by policy and by function alike. */
  async function opensInbox(token: string): Promise<boolean> {
    const client = backend.client(token);
    const isAdmin = (await client.rpc("is_admin").throwOnError()).data as boolean;
    const { data } = await client.from("contact_submissions").select("id").throwOnError();
    expect(data).toHaveLength(isAdmin ? 1 : 0);
    expect((await client.rpc("read_inbox")).error?.code).toBe(isAdmin ? undefined : "42501");
    return isAdmin;
  }

  it("opens the inbox while it lasts, and no longer, although its token is still valid", async () => {
    const [admin, other] = [await signInAdmin(backend), await signInAdmin(backend)];
    expect(await opensInbox(admin.token)).toBe(true);
    await backend.sql("delete from auth.sessions where id = $1 returning id", [sessionOf(admin)]);
    expect(await opensInbox(admin.token)).toBe(false);
    expect(await opensInbox(other.token)).toBe(true);
  });

  it("ends when its time is over", async () => {
    const admin = await signInAdmin(backend);
    if (!("postgres" in backend)) {
      // The embedded backend sets the end itself, from these.
      await backend.sql(
        "update auth.sessions set created_at = now() - interval '25 hours' where id = $1 returning id",
        [sessionOf(admin)],
      );
    } else {
      const end = "update auth.sessions set not_after = now() - interval '1 second' where id = $1 returning id";
      await backend.sql(end, [sessionOf(admin)]);
    }
    expect(await opensInbox(admin.token)).toBe(false);
  });

  it("is the person's own: another's, an unknown one or none opens nothing", async () => {
    if (!("postgres" in backend)) return;
    const { rest } = backend as HostedBackend;
    const [admin, other] = [await signInAdmin(backend), await backend.signIn()];
    for (const session_id of [sessionOf(other), randomUUID(), "", undefined]) {
      expect(await opensInbox(rest.signToken({ ...readClaims(admin.token), session_id }))).toBe(false);
    }
    expect(await opensInbox(rest.signToken({ ...readClaims(other.token), session_id: sessionOf(admin) }))).toBe(false);
  });
});
