import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { receive } from "../support/examples.ts";
import { type HostedBackend, startHostedBackend } from "../support/hosted-backend.ts";
import { readClaims } from "../support/postgres/json-web-token.ts";
import { type Person, signInAdmin } from "../support/test-backend.ts";

/** Only hosted projects have second factors; this table is the part of theirs that the rule reads. */
const factorsTable = `
  set role supabase_admin;
  create type auth.factor_status as enum ('unverified', 'verified');
  create table auth.mfa_factors (
    id uuid primary key,
    user_id uuid not null references auth.users (id) on delete cascade,
    status auth.factor_status not null
  );
  grant select on auth.mfa_factors to postgres;`;

describe("an admin's second factor, as hosted", () => {
  let backend: HostedBackend;
  let admin: Person;

  beforeAll(async () => {
    backend = await startHostedBackend();
    admin = await signInAdmin(backend);
    await receive(backend.service).throwOnError();
    await backend.postgres.exec(factorsTable);
  });
  afterAll(() => backend?.close());

  function clientWith(aal: string | undefined) {
    return backend.client(backend.rest.signToken({ ...readClaims(admin.token), aal }));
  }

  async function addFactor(status: "unverified" | "verified") {
    const insert = "insert into auth.mfa_factors (id, user_id, status) values ($1, $2, $3) returning id";
    await backend.sql(insert, [randomUUID(), admin.id, status]);
  }

  async function readsSubmissions(aal: string | undefined) {
    const isAdmin = (await clientWith(aal).rpc("is_admin").throwOnError()).data;
    const { data } = await clientWith(aal).from("contact_submissions").select("id").throwOnError();
    expect(data).toHaveLength(isAdmin ? 1 : 0);
    const status = await clientWith(aal).rpc("outbox_status");
    expect(status.error?.code).toBe(isAdmin ? undefined : "42501");
    return isAdmin;
  }

  it("is not asked for while none is set up", async () => {
    expect(await readsSubmissions("aal1")).toBe(true);
    await addFactor("unverified");
    expect(await readsSubmissions("aal1")).toBe(true);
  });

  it("is required in the session once one is verified", async () => {
    await addFactor("verified");
    expect(await readsSubmissions("aal1")).toBe(false);
    expect(await readsSubmissions(undefined)).toBe(false);
    expect(await readsSubmissions("aal2")).toBe(true);
  });

  it("makes nobody an admin who has no role", async () => {
    const person = await backend.signIn();
    const client = backend.client(backend.rest.signToken({ ...readClaims(person.token), aal: "aal2" }));
    expect((await client.rpc("is_admin").throwOnError()).data).toBe(false);
  });
});
