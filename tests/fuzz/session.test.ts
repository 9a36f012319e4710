import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startSite, type TestSite } from "../support/site";
import { Visitor, leadsTo } from "../support/visitor";

let product: TestSite;

beforeAll(async () => {
  product = await startSite();
});
afterAll(async () => {
  await product.stop();
});

const session = "admin-session";

/** Opens the admin page with this session. @returns "/admin", or the status and target of the redirect to sign-in */
async function openAdmin(value: string): Promise<string> {
  const visitor = new Visitor(product.url);
  visitor.setCookie(session, value);
  const { status, headers } = await visitor.get("/admin");
  return status === 200 ? "/admin" : `${status} ${leadsTo({ headers })}`;
}

interface Session {
  access_token: string;
  refresh_token: string;
}

const read = (value: string) =>
  JSON.parse(Buffer.from(value.replace("base64-", ""), "base64url").toString()) as Session;
const encode = (content: unknown) => Buffer.from(JSON.stringify(content)).toString("base64url");
const write = (content: unknown) => `base64-${encode(content)}`;

async function signIn(visitor = new Visitor(product.url)): Promise<string> {
  expect((await visitor.signIn()).status).toBe(303);
  return visitor.cookie(session) ?? "";
}

describe("a session", () => {
  it("starts fresh at sign-in, so that a cookie planted before is worthless", async () => {
    const attackers = await signIn();
    const victim = new Visitor(product.url);
    for (const planted of ["fixed", attackers]) {
      victim.setCookie(session, planted);
      victim.setCookie("known-device", "planted");
      const own = await signIn(victim);
      expect(own).not.toBe(planted);
      expect(read(own).refresh_token).not.toBe(read(attackers).refresh_token);
    }
    expect(await openAdmin("fixed")).toBe("303 /login");
  });

  it("ends at sign-out, including copies of its cookie", async () => {
    const admin = new Visitor(product.url);
    const copy = await signIn(admin);
    expect(await openAdmin(copy)).toBe("/admin");
    expect((await admin.post("/logout", {})).status).toBe(303);
    expect(await openAdmin(copy)).toBe("303 /login");
  });

  it("rejects forgeries: changed tokens, no signature, another's claims, nonsense", async () => {
    const own = read(await signIn());
    const [head = "", claims = "", signature = ""] = own.access_token.split(".");
    const forge = (access_token: string) => write({ ...own, access_token, refresh_token: "forged" });
    const otherClaims = {
      ...(JSON.parse(Buffer.from(claims, "base64url").toString()) as object),
      role: "service_role",
    };
    for (const value of [
      forge(`${head}.${claims}.${signature.slice(0, -4)}AAAA`),
      forge(`${encode({ alg: "none", typ: "JWT" })}.${claims}.`),
      forge(`${head}.${encode(otherClaims)}.${signature}`),
      forge("x.y.z"),
      forge(""),
      write({ __proto__: { admin: true }, access_token: "a" }),
      write(null),
      write([]),
      "base64-",
      "base64-%%%",
      "{}",
      "null",
      "x".repeat(5_000),
    ]) {
      expect(await openAdmin(value), value.slice(0, 60)).toBe("303 /login");
    }
    expect(product.output()).not.toContain('"level":"error"');
  });
});

describe("other cookies", () => {
  it("grant and reveal nothing when forged", async () => {
    for (const [name, value] of [
      ["known-device", `${Buffer.from('{"id":"x","accounts":["y"]}').toString("base64")}.signature`],
      ["admin-search", "submissions.PHNjcmlwdD4"],
      ["cookie-consent", "v=1.0&a=1&m=1&by=admin&at=2026-01-01T00:00:00.000Z&id=x"],
      ["session-id", "' or 1=1 --"],
    ] as const) {
      const visitor = new Visitor(product.url);
      visitor.setCookie(name, value);
      const { status, html } = await visitor.get("/contact");
      expect(status).toBe(200);
      expect(html).not.toContain("<script>alert");
      expect((await visitor.get("/admin")).status).toBe(303);
    }
  });
});
