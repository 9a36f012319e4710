import { afterAll, beforeAll, onTestFinished } from "vitest";
import type { RunningSite } from "../../support/product";
import { shareSite } from "../../support/shared-site";
import { type TestSite, type TestSiteOptions, startSite } from "../../support/site";
import { Visitor } from "../../support/visitor";
import { type Answering, type StubProject, startStubProject } from "./stub-project";

/** Starts a site before the tests of a file or a `describe`, and stops it after them. */
export function useSite(settings: Record<string, string> = {}, options: TestSiteOptions = {}): RunningSite {
  let site: TestSite | undefined;
  beforeAll(async () => {
    site = await startSite(settings, options);
  });
  afterAll(() => site?.stop());
  return toRunningSite(() => site);
}

/** Opens the site that files share, for the tests of a file. */
export function useSharedSite(): RunningSite {
  let site: RunningSite | undefined;
  beforeAll(async () => {
    site = await shareSite();
  });
  return toRunningSite(() => site);
}

function toRunningSite(find: () => RunningSite | undefined): RunningSite {
  const get = () => {
    const site = find();
    if (site === undefined) throw new Error("The site starts before the first test.");
    return site;
  };
  return {
    get url() {
      return get().url;
    },
    get dataDir() {
      return get().dataDir;
    },
    output: () => get().output(),
  };
}

/** Starts a site that stops with its test at the latest. */
export async function openSite(settings: Record<string, string> = {}, options: TestSiteOptions = {}) {
  const site = await startSite(settings, options);
  let stopped: Promise<void> | undefined;
  const stop = () => (stopped ??= site.stop());
  onTestFinished(stop);
  return { ...site, stop };
}

/** Starts a stub project that closes with its test. */
export async function openProject(first: Answering): Promise<StubProject> {
  const project = await startStubProject(first);
  onTestFinished(() => project.close());
  return project;
}

let lastClient = 0;

/** Returns the headers of a client that no test has used, for a site with TRUSTED_PROXIES=1. */
export function newClient(): { "X-Forwarded-For": string } {
  lastClient += 1;
  return { "X-Forwarded-For": `198.18.${lastClient >> 8}.${lastClient & 255}` };
}

/** Signs the test admin in. */
export async function signInAdmin(site: RunningSite): Promise<Visitor> {
  const admin = new Visitor(site.url);
  await admin.signIn();
  return admin;
}

/** Encodes a session cookie. By default it has expired, and nothing in it is valid. */
export function encodeSession(changes: object = {}): string {
  const session = {
    access_token: "a.b.c",
    refresh_token: "refreshtoken",
    expires_at: 1,
    expires_in: 3600,
    token_type: "bearer",
    user: {},
    ...changes,
  };
  return `base64-${Buffer.from(JSON.stringify(session)).toString("base64url")}`;
}
