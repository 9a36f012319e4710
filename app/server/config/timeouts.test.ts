import { expect, it } from "vitest";
import { type Timeouts, defaultTimeouts } from "./timeouts.server";

const seconds = (count: number) => count * 1_000;
const minutes = (count: number) => seconds(60 * count);

/** Milliseconds in production, each with its source; the relations below are the reason for the others. */
const expected: Record<keyof Timeouts, [number, string?]> = {
  headers: [seconds(10)],
  body: [seconds(10), "and 1 kB/s afterwards: a slow phone"],
  reader: [seconds(36)],
  connectionCheck: [seconds(5)],
  keepAlive: [seconds(75), "nginx, keepalive_timeout of an upstream: 60 seconds"],
  shutdown: [seconds(10), "compose.yaml and deploy/site.service: 30 seconds for everything"],
  lastRequest: [500],
  backendCall: [seconds(2), "decision 18"],
  backendStart: [3_500],
  session: [seconds(4)],
  probe: [800, "Kubernetes, timeoutSeconds of a probe: 1"],
  probeReuse: [seconds(1)],
  circuitReset: [seconds(5), "decision 18"],
  threadProbe: [seconds(5)],
  threadSilence: [seconds(30)],
  threadCall: [seconds(20)],
  threadLongWork: [minutes(10)],
  threadClose: [seconds(12), "as shutdown"],
  loopBeat: [50],
  loopHeld: [500],
  loopCheck: [seconds(1)],
  loopSilence: [minutes(1), "the mail about a hung process says a minute"],
  outboxPoll: [seconds(2)],
  firstRetention: [seconds(10)],
  firstBackup: [minutes(1)],
  backupCheck: [minutes(10)],
  diskCheck: [minutes(10)],
  fullDiskCheck: [seconds(2)],
  consentRecord: [150],
  countReport: [minutes(1)],
  firstTroubleReport: [seconds(10)],
  troubleReport: [minutes(1), "migration trouble: a state that is not reported for 30 minutes has ended"],
  replyPause: [seconds(30), "the message's page says half a minute"],
  ownTexts: [seconds(15), "docs/operations/words.md"],
  heartbeat: [minutes(15)],
  heartbeatCheck: [minutes(1)],
  renderQueue: [seconds(2)],
  accountResponse: [600],
  signInQueue: [seconds(20)],
  signInDelay: [seconds(1)],
};

it("has the production values of this table", () => {
  expect(defaultTimeouts).toEqual(Object.fromEntries(Object.entries(expected).map(([name, [ms]]) => [name, ms])));
});

const t = defaultTimeouts;
/** Parts of a close with constants beside their code: sockets, the site's other parts, and terminating the thread. */
const fixedParts = seconds(1 + 2 + 2);

it.each<[string, number, number]>([
  ["a proxy closes an idle connection before the site", seconds(60), t.keepAlive],
  ["closing ends before serve gives up", t.lastRequest + t.shutdown + fixedParts + t.threadClose, seconds(28)],
  ["an admin's request has time for a call and a retry", t.backendCall, t.session],
  ["a probe ends before an orchestrator gives up", t.probe, seconds(1)],
  ["a sign-in waits longer for a start than a form", t.backendStart, t.signInQueue],
  ["a silent thread was probed several times", 3 * t.threadProbe, t.threadSilence],
  ["a slow call of the thread outlasts the visitor's", t.backendCall, t.threadCall],
  ["a held loop has missed several beats", 3 * t.loopBeat, t.loopHeld],
  ["a hung loop was checked many times", 10 * t.loopCheck, t.loopSilence],
  ["the backend opens before the first report of trouble", t.backendStart, t.firstTroubleReport],
  ["a lasting trouble is reported again before the database ends it", 10 * t.troubleReport, minutes(30)],
])("keeps the relation that %s", (_relation, shorter, longer) => {
  expect(shorter).toBeLessThan(longer);
});
