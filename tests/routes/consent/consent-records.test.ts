import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hashShownText } from "~/features/consent/record/consent-text.server";
import { type ConsentDecision, formatDecision } from "~/lib/consent";
import { type EmbeddedBackend, startEmbeddedBackend } from "#supabase/embedded/embedded-backend.ts";
import { startSite, testAdmin } from "../../support/site";
import { Visitor } from "../../support/visitor";
import { choose, consentForm, readDecision } from "../support/consent";

const address = "198.51.100.77";
const userAgent = "Mozilla/5.0 (X11; Linux x86_64) Test/1.0";
const client = { "X-Forwarded-For": address, "User-Agent": userAgent };
const forged: ConsentDecision = {
  version: "1.0",
  analytics: true,
  marketing: true,
  source: "banner",
  decidedAt: "2020-01-01T00:00:00.000Z",
  recordId: "f".repeat(32),
  textHash: "0".repeat(64),
  underGpc: false,
  isUnsaved: true,
};

/** Decisions in the browser by name, and the product's output. */
const decided: Record<string, ConsentDecision> = {};
let printed: string;
const firstDay = startOfToday();
let backend: EmbeddedBackend;

beforeAll(async () => {
  const product = await startSite({ TRUSTED_PROXIES: "1" }, { own: true });
  const changing = new Visitor(product.url);
  await changing.post("/consent", consentForm("accept"), client);
  keep("accepted", changing);
  await changing.post("/consent", consentForm("save", { marketing: "on" }), { ...client, "User-Agent": "Other/2.0" });
  keep("changed", changing);
  await changing.post("/consent", consentForm("reject"), client);
  keep("withdrawn", changing);

  const signalling = new Visitor(product.url);
  for (const path of ["/", "/about", "/value"]) await signalling.get(path, { ...client, "Sec-GPC": "1" });
  keep("signalled", signalling);
  // A browser that stores no cookies.
  for (const path of ["/", "/about", "/value"]) await new Visitor(product.url).get(path, { ...client, "Sec-GPC": "1" });

  const ending = new Visitor(product.url);
  await ending.post("/consent", consentForm("accept"), client);
  keep("ended", ending);
  await ending.get("/", { ...client, "Sec-GPC": "1" });

  const longWinded = new Visitor(product.url);
  await longWinded.post("/consent", consentForm("accept"), { ...client, "User-Agent": "x".repeat(2_000) });
  keep("long-winded", longWinded);

  await choose(new Visitor(product.url), "close");

  const forger = new Visitor(product.url);
  forger.setCookie("cookie-consent", formatDecision(forged));
  await forger.get("/", client);
  keep("forged", forger);

  // Two concurrent tabs, then one of them again, with an hour-old decision that could not be saved at the time.
  const late = new Visitor(product.url);
  const anHourAgo = new Date(Date.now() - 60 * 60 * 1000).toISOString();
  const textHash = hashShownText("banner", false);
  const mark = formatDecision({ ...forged, recordId: "L".repeat(32), textHash, decidedAt: anHourAgo });
  for (const tabs of [["/about", "/value"], ["/about"]]) {
    late.setCookie("cookie-consent", mark);
    await Promise.all(tabs.map((path) => late.get(path, client)));
  }
  keep("late", late);

  printed = product.output();
  await product.stop();
  backend = await startEmbeddedBackend({
    dataDir: product.dataDir,
    siteUrl: product.url,
    admin: testAdmin,
    functions: {},
    log: () => {},
  });
});
afterAll(() => backend?.close());

describe("the consent record of a visitor", () => {
  it("holds the required fields and no others", async () => {
    const [record] = await findRecords("withdrawn");
    expect(record).toEqual({
      session_id: decided.withdrawn?.recordId,
      analytics_consent: false,
      marketing_consent: false,
      functional_consent: true,
      user_agent: userAgent,
      consent_version: "1.0",
      updated_at: decided.withdrawn?.decidedAt,
    });
  });

  it("is the only one after several decisions", async () => {
    expect(await findRecords("withdrawn")).toHaveLength(1);
    expect(decided.withdrawn?.recordId).toBe(decided.accepted?.recordId);
  });

  it("identifies no one after a signal: no user agent, no time of day, no id that the browser knows", async () => {
    const day = decided.signalled?.decidedAt;
    // The test may run across midnight.
    expect([firstDay, startOfToday()]).toContain(day);
    expect(await findSignalRecords()).toEqual([
      {
        session_id: expect.stringMatching(/^[\w-]{32}$/),
        analytics_consent: false,
        marketing_consent: false,
        functional_consent: true,
        user_agent: null,
        consent_version: "1.0",
        updated_at: day,
      },
    ]);
    expect(decided.signalled).toMatchObject({ recordId: null, isUnsaved: false });
  });

  it("says that a signal ended the consent, and drops the user agent", async () => {
    expect(await findRecords("ended")).toMatchObject([
      { analytics_consent: false, marketing_consent: false, user_agent: null },
    ]);
    expect(await readHistory("ended")).toMatchObject([
      { analytics_consent: true, source: "banner" },
      { analytics_consent: false, marketing_consent: false, source: "signal" },
    ]);
  });

  it("truncates a user agent that is too long", async () => {
    expect(await findRecords("long-winded")).toMatchObject([{ user_agent: "x".repeat(512) }]);
  });

  it("keeps the decision's time when it is saved late, and exists once, from any number of tabs", async () => {
    expect(decided.late).toMatchObject({ isUnsaved: false });
    expect(await findRecords("late")).toMatchObject([{ updated_at: decided.late?.decidedAt, analytics_consent: true }]);
    expect(await readHistory("late")).toMatchObject([{ ...row("late"), recorded_soon: false }]);
  });

  it("is created only by a decision with a possible time, not by closing the banner", async () => {
    expect(await backend.sql("select session_id from public.user_consents")).toHaveLength(5);
    expect(await findRecords("forged")).toEqual([]);
    // It can never be saved, so it is not retried.
    expect(decided.forged).toEqual({ ...forged, isUnsaved: false });
    expect(printed).toContain('"event":"consent-refused","code":"22023"');
  });
});

describe("the history of consent", () => {
  it("holds every decision in order, with its source and text", async () => {
    const choices = [
      { ...row("accepted"), analytics_consent: true, marketing_consent: true, source: "banner" },
      { ...row("changed"), analytics_consent: false, marketing_consent: true, source: "dialog" },
      { ...row("withdrawn"), analytics_consent: false, marketing_consent: false, source: "banner" },
    ];
    const expected = choices.map((choice) => ({
      ...choice,
      functional_consent: true,
      consent_version: "1.0",
      text_hash: hashShownText(choice.source as "banner" | "dialog", false),
      recorded_soon: true,
    }));
    expect(await readHistory("accepted")).toEqual(expected);
  });

  it("marks a signal as such", async () => {
    const [record] = await findSignalRecords();
    const rows = await backend.sql("select source, text_hash from private.consent_history where session_id = $1", [
      record?.session_id,
    ]);
    expect(rows).toEqual([{ source: "signal", text_hash: hashShownText("signal", false) }]);
  });
});

it("stores no IP address in either table, and logs no personal data", async () => {
  const rows = await backend.sql<{ all: string }>(
    `select coalesce(string_agg(kept.row, ' '), '') as all from (
       select consent::text as row from public.user_consents consent
       union all select history::text from private.consent_history history) kept`,
  );
  expect(rows[0]?.all).toContain(userAgent);
  for (const trace of [address, "127.0.0.1", "::1", "::ffff"]) expect(rows[0]?.all).not.toContain(trace);
  for (const trace of [address, userAgent, ...Object.values(decided).flatMap(({ recordId }) => recordId ?? [])]) {
    expect(printed).not.toContain(trace);
  }
});

function keep(name: string, visitor: Visitor): void {
  decided[name] = readDecision(visitor)!;
}

function row(name: string) {
  return { session_id: decided[name]?.recordId, decided_at: decided[name]?.decidedAt };
}

/** Finds the records without any decision besides a signal. */
async function findSignalRecords(): Promise<Record<string, unknown>[]> {
  const rows = await backend.sql<{ updated_at: string }>(
    `select * from public.user_consents as consent where not exists (
       select 1 from private.consent_history as chosen
       where chosen.session_id = consent.session_id and chosen.source <> 'signal')`,
  );
  return rows.map((record) => ({ ...record, updated_at: new Date(record.updated_at).toISOString() }));
}

async function findRecords(name: string): Promise<Record<string, unknown>[]> {
  const query = "select * from public.user_consents where session_id = $1";
  const rows = await backend.sql<{ updated_at: string }>(query, [decided[name]?.recordId]);
  return rows.map((record) => ({ ...record, updated_at: new Date(record.updated_at).toISOString() }));
}

async function readHistory(name: string): Promise<Record<string, unknown>[]> {
  const rows = await backend.sql<{ decided_at: string; recorded_at: string }>(
    "select * from private.consent_history where session_id = $1 order by decided_at",
    [decided[name]?.recordId],
  );
  return rows.map(({ decided_at, recorded_at, ...rest }) => {
    const delay = Date.parse(recorded_at) - Date.parse(decided_at);
    return {
      ...rest,
      decided_at: new Date(decided_at).toISOString(),
      recorded_soon: delay >= -1 && delay < 30 * 60 * 1000,
    };
  });
}

function startOfToday(): string {
  return `${new Date().toISOString().slice(0, 10)}T00:00:00.000Z`;
}
