/** Timeouts, delays and intervals of this site, in milliseconds; tests may shorten them. */
export interface Timeouts {
  /** a request's header fields (RFC 9110 sets no limit) */
  headers: number;
  /** a request's body; a body that arrives at 1 kB/s or more may take longer, as from a slow phone */
  body: number;
  /** a client that reads nothing of its response */
  reader: number;
  /** interval of Node's check for late header fields */
  connectionCheck: number;
  /** an idle connection; longer than a proxy in front keeps one, so that the proxy closes first */
  keepAlive: number;
  /** requests in flight when the process stops */
  shutdown: number;
  /** a busy keep-alive connection's last request, whose response carries `Connection: close` */
  lastRequest: number;
  /** one call to the backend; a visitor waits for at most one */
  backendCall: number;
  /** a form for a backend that is still starting */
  backendStart: number;
  /** all calls of one admin's request, retries included */
  session: number;
  /** a probe of the backend; shorter than the one second that orchestrators wait by default */
  probe: number;
  /** age of a probe's result that /readyz reuses, so that any number of visitors causes few probes */
  probeReuse: number;
  /** delay before a circuit breaker allows a trial call */
  circuitReset: number;
  /** interval of the probes of the embedded backend's thread */
  threadProbe: number;
  /** silence after which a thread is terminated */
  threadSilence: number;
  /** a database call of the thread; three consecutive slower ones terminate the thread */
  threadCall: number;
  /** the thread's long work: opening with migrations, or a copy for a backup */
  threadLongWork: number;
  /** closing the thread's database; with all that comes before, less than a container's 30 seconds */
  threadClose: number;
  /** interval of the event loop's signs of life */
  loopBeat: number;
  /** a held event loop; longer ones are logged and counted */
  loopHeld: number;
  /** interval of the checks by the event loop's watcher */
  loopCheck: number;
  /** silence of the event loop, counted by those checks, after which the process is ended */
  loopSilence: number;
  /** interval of the checks for due mail */
  outboxPoll: number;
  /** delay from the start to the first retention run */
  firstRetention: number;
  /** delay from the start to the first check for a due backup */
  firstBackup: number;
  /** interval of these checks */
  backupCheck: number;
  /** interval of the disk checks */
  diskCheck: number;
  /** interval of the checks for room on a full disk, while the database waits for it */
  fullDiskCheck: number;
  /** saving a consent record with a page; if it takes longer, the next page saves it again */
  consentRecord: number;
  /** interval of the count reports */
  countReport: number;
  /** delay from the start to the first check for trouble to report: events before the start, and states at the start */
  firstTroubleReport: number;
  /** interval of these checks */
  troubleReport: number;
  /** interval of the heartbeats */
  heartbeat: number;
  /** interval of the checks for a heartbeat that is due, which repeat a failed one */
  heartbeatCheck: number;
  /** a slot in the render queue */
  renderQueue: number;
  /**
   * minimum time until the response to a failed sign-in, a request for a link, or a request to join the network, counted
   * from its admission. An unknown address costs no mail, no changed membership, and with a hosted project no hash, so
   * the response time would reveal who has an account or is a member
   */
  accountResponse: number;
  /** a password attempt in the sign-in queue, or while the backend starts */
  signInQueue: number;
  /** delay of a password from an unknown device while the account is under attack */
  signInDelay: number;
}

/** Values in production. */
export const defaultTimeouts: Timeouts = {
  headers: 10_000,
  body: 10_000,
  reader: 36_000,
  connectionCheck: 5_000,
  keepAlive: 75_000,
  shutdown: 10_000,
  lastRequest: 500,
  backendCall: 2_000,
  backendStart: 3_500,
  session: 4_000,
  probe: 800,
  probeReuse: 1_000,
  circuitReset: 5_000,
  threadProbe: 5_000,
  threadSilence: 30_000,
  threadCall: 20_000,
  threadLongWork: 600_000,
  threadClose: 12_000,
  loopBeat: 50,
  loopHeld: 500,
  loopCheck: 1_000,
  loopSilence: 60_000,
  outboxPoll: 2_000,
  firstRetention: 10_000,
  firstBackup: 60_000,
  backupCheck: 600_000,
  diskCheck: 600_000,
  fullDiskCheck: 2_000,
  consentRecord: 150,
  countReport: 60_000,
  firstTroubleReport: 10_000,
  troubleReport: 60_000,
  heartbeat: 900_000,
  heartbeatCheck: 60_000,
  renderQueue: 2_000,
  accountResponse: 600,
  signInQueue: 20_000,
  signInDelay: 1_000,
};
