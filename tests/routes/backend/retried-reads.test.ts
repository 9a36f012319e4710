import { beforeAll, describe, expect, it } from "vitest";
import { receiveRequest } from "../../database/support/data-rights.ts";
import { receive } from "../../database/support/examples.ts";
import { saveLetter } from "../../database/support/letters.ts";
import { join } from "../../database/support/network.ts";
import { signInAdmin } from "../../database/support/test-backend.ts";
import type { Visitor } from "../../support/visitor";
import { proxyTo, useHostedProject } from "../support/proxied-project";
import { type Answering, type ReceivedCall, hangUp } from "../support/stub-project";
import { encodeSession, useSite } from "../support/world";

const { backend, project } = useHostedProject();
const site = useSite(() => project.settings);
let admin: Visitor;
let working: Answering;
let paths: string[];

beforeAll(async () => {
  const { id, email, token } = await signInAdmin(backend);
  const user = { id, email, aud: "authenticated", app_metadata: {}, user_metadata: {} };
  working = proxyTo(backend, user);
  admin = site.visitor();
  admin.setCookie("admin-session", encodeSession({ access_token: token, expires_at: 4e9, user }));
  const message = await receive(backend.service).throwOnError();
  const request = await receiveRequest(backend);
  const member = await join(backend);
  const letter = await saveLetter(backend.client(token));
  paths = [
    "/admin",
    "/admin?filter=done",
    `/admin/messages/${message.data?.submission_id}`,
    "/admin/requests",
    `/admin/requests/${request.id}`,
    "/admin/network?kind=angel&field=ai",
    `/admin/network/${member.id}`,
    "/admin/network/letters",
    `/admin/network/letters/${letter.letter_id}`,
    `/admin/network/letters/${letter.letter_id}/check`,
    "/admin/people",
    "/admin/account",
    "/admin/snippets",
    "/admin/answer-times",
    "/admin/mail",
    "/admin/numbers",
    "/admin/numbers?period=year",
  ];
});

const isDatabaseCall = ({ path }: ReceivedCall) => path.startsWith("/rest/");

describe("the admin area on a project whose connections break", () => {
  it("shows every page by retrying each read once", async () => {
    for (const path of paths) {
      const seen = new Set<string>();
      project.calls.length = 0;
      project.become((call, response, request) => {
        if (!isDatabaseCall(call) || call.method !== "GET" || seen.has(call.path))
          return working(call, response, request);
        seen.add(call.path);
        return hangUp(call, response, request);
      });
      expect([path, (await admin.get(path)).status]).toEqual([path, 200]);
      const reads = project.calls.filter((call) => isDatabaseCall(call) && call.method === "GET");
      expect(reads.length, path).toBe(2 * seen.size);
      // The admin's standing and the page's own data.
      expect(seen.size, path).toBeGreaterThan(1);
    }
  });

  it("keeps search words out of every URL, because projects log URLs", async () => {
    project.become(working);
    project.calls.length = 0;
    for (const list of ["/admin", "/admin/requests"]) {
      const found = await admin.post(list, { intent: "search", search: "Ada Lovelace" });
      const { status } = await admin.get(found.headers.get("location") ?? "");
      expect([list, status]).toEqual([list, 200]);
    }
    const searches = project.calls.filter(({ body }) => body.includes("Ada Lovelace"));
    expect(searches.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "POST /rest/v1/rpc/read_inbox",
      "POST /rest/v1/rpc/read_requests",
    ]);
    expect(project.calls.map(({ path }) => path).join()).not.toMatch(/Ada|Lovelace/);
  });

  it("keeps the tokens of mailed links out of every URL", async () => {
    project.calls.length = 0;
    const token = "A".repeat(43);
    const links = ["/data-rights/status", "/data-rights/confirm", "/answered", "/login/password"];
    for (const link of links) {
      const { status } = await site.get(`${link}?token=${token}`);
      expect([link, status]).toEqual([link, 404]);
    }
    const calls = project.calls.filter(({ body }) => body.includes(token));
    expect(calls.length).toBeGreaterThanOrEqual(links.length);
    expect(project.calls.filter(({ path }) => path.includes(token))).toEqual([]);
  });
});
