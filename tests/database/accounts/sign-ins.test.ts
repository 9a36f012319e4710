import { beforeAll, expect, it } from "vitest";
import { eachBackend } from "../support/backends.ts";
import { readClaims } from "../support/postgres/json-web-token.ts";
import { type Person, signInAdmin } from "../support/test-backend.ts";

eachBackend("sign-ins", (backend) => {
  let admin: Person;

  beforeAll(async () => {
    admin = await signInAdmin(backend);
  });

  const record = ({ token }: Person, device: string | null, is_new_device: boolean | null = false) =>
    backend.client(token).rpc("record_sign_in", { device, is_new_device });

  const listEvents = async ({ token }: Person) =>
    ((await backend.client(token).rpc("own_account").throwOnError()).data as { events: Record<string, unknown>[] })
      .events;

  const listDue = async ({ email }: Person) =>
    ((await backend.service.rpc("list_due_account_mails").throwOnError()).data as Record<string, unknown>[]).filter(
      ({ recipient }) => recipient === email,
    );

  it("records one sign-in per session, for its owner only", async () => {
    await record(admin, "Firefox on Windows").throwOnError();
    await record(admin, "Chrome on Linux", true).throwOnError();
    expect(await listEvents(admin)).toEqual([
      {
        id: expect.any(Number),
        at: expect.any(String),
        kind: "sign-in",
        device: "Firefox on Windows",
        is_new_device: false,
      },
    ]);
    expect(await listDue(admin)).toEqual([]);
    expect(await listEvents(await signInAdmin(backend))).toEqual([]);
  });

  it("mails a person about a new device, admin or not", async () => {
    const person = await backend.signIn();
    await record(person, "Safari on iPhone", true).throwOnError();
    expect(await listDue(person)).toEqual([expect.objectContaining({ kind: "sign-in", device: "Safari on iPhone" })]);
  });

  it.each(["https://evil.example", "a\nb", "", "x".repeat(61), null])("rejects the device name %j", async (device) => {
    const person = await backend.signIn();
    expect((await record(person, device)).error?.code).toMatch(/^(?:23514|23502)$/);
  });

  it("rejects a sign-in without a live session", async () => {
    expect((await backend.client().rpc("record_sign_in", { device: "Firefox", is_new_device: true })).error?.code).toBe(
      "42501",
    );
    const person = await backend.signIn();
    await backend.sql("delete from auth.sessions where id = $1 returning id", [readClaims(person.token).session_id]);
    expect((await record(person, "Firefox")).error).not.toBeNull();
    expect(await listDue(person)).toEqual([]);
  });

  it("shows sign-ins for 30 days", async () => {
    const late = await signInAdmin(backend);
    await record(late, "Firefox").throwOnError();
    await backend.sql(
      "update private.account_events set at = now() - interval '31 days' where user_id = $1 returning 1 as ok",
      [late.id],
    );
    expect(await listEvents(late)).toEqual([]);
  });
});
