import { beforeAll, onTestFinished } from "vitest";
import { type RunningSite, startProduct } from "../../support/product";
import { shareSite } from "../../support/shared-site";
import { type TestSiteOptions, startSite } from "../../support/site";
import { type Answer, Visitor } from "../../support/visitor";
import { type Answering, type StubProject, startStubProject } from "./stub-project";

/** A site that runs during the tests of a file or a `describe`. Each request comes from another browser without cookies. */
export interface SiteInUse extends RunningSite, Pick<Visitor, "get" | "post" | "follow"> {
  visitor(): Visitor;
}

type Settings = Record<string, string>;

/**
 * Starts a site before the tests of a file or a `describe`, and stops it after them.
 * @param settings or a function that prepares them, such as those of a project of {@link useProject}
 */
export const useSite = (
  settings: Settings | (() => Settings | Promise<Settings>) = {},
  options: TestSiteOptions | (() => TestSiteOptions | Promise<TestSiteOptions>) = {},
) =>
  useRunning(
    async () => {
      const prepared = typeof options === "function" ? await options() : options;
      return startSite(typeof settings === "function" ? await settings() : settings, prepared);
    },
    (site) => site.stop(),
  );

/** Starts a stub project before the tests of a file or a `describe`, and closes it after them. */
export function useProject(first: Answering): StubProject {
  let project: StubProject;
  beforeAll(async () => {
    project = await startStubProject(first);
    return () => project.close();
  });
  return {
    get settings() {
      return project.settings;
    },
    get calls() {
      return project.calls;
    },
    become: (next) => project.become(next),
    close: () => project.close(),
  };
}

/** Opens the site that files share, for the tests of a file. */
export const useSharedSite = () => useRunning(shareSite);

function useRunning<Site extends RunningSite>(
  start: () => Promise<Site>,
  stop?: (site: Site) => Promise<void>,
): SiteInUse {
  let site: Site;
  beforeAll(async () => {
    site = await start();
    return stop && (() => stop(site));
  });
  const visitor = () => new Visitor(site.url);
  return {
    get url() {
      return site.url;
    },
    get dataDir() {
      return site.dataDir;
    },
    output: () => site.output(),
    visitor,
    get: (...request: Parameters<Visitor["get"]>) => visitor().get(...request),
    post: (...request: Parameters<Visitor["post"]>) => visitor().post(...request),
    follow: (answer: Answer) => visitor().follow(answer),
  };
}

/** Starts a site that stops with its test at the latest. */
export async function openSite(settings: Settings = {}, options: TestSiteOptions = {}) {
  const site = await startSite(settings, options);
  let stopped: Promise<void> | undefined;
  const stop = () => (stopped ??= site.stop());
  onTestFinished(stop);
  return { ...site, stop };
}

/** Starts a process of the product that is killed with its test at the latest. */
export async function openProduct(...start: Parameters<typeof startProduct>) {
  const product = await startProduct(...start);
  onTestFinished(() => product.kill());
  return product;
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
