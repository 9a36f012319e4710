/** Timeouts, delays and intervals in production, in milliseconds. */
export const defaultTimeouts = {
  /** a request's header fields (RFC 9110 sets no limit) */
  headers: 10_000,
  /** a request's body; a body that arrives at 1 kB/s or more may take longer, as from a slow phone */
  body: 10_000,
  /** a client that reads nothing of its response */
  reader: 36_000,
  /** interval of Node's check for late header fields */
  connectionCheck: 5_000,
  /** an idle connection; longer than a proxy in front keeps one, so that the proxy closes first */
  keepAlive: 75_000,
  /** requests in flight when the process stops */
  shutdown: 10_000,
  /** a busy keep-alive connection's last request, whose response carries `Connection: close` */
  lastRequest: 500,
  /** one call to the backend; a visitor waits for at most one */
  backendCall: 2_000,
  /** a form for a backend that is still starting */
  backendStart: 3_500,
  /** all calls of one admin's request, retries included */
  session: 4_000,
  /** a probe of the backend; shorter than the one second that orchestrators wait by default */
  probe: 800,
  /** age of a probe's result that /readyz reuses, so that any number of visitors causes few probes */
  probeReuse: 1_000,
  /** delay before a circuit breaker allows a trial call */
  circuitReset: 5_000,
  /** interval of the probes of the embedded backend's thread */
  threadProbe: 5_000,
  /** silence after which a thread is terminated */
  threadSilence: 30_000,
  /** a database call of the thread; three consecutive slower ones terminate the thread */
  threadCall: 20_000,
  /** the thread's long work: opening with migrations, or a copy for a backup */
  threadLongWork: 600_000,
  /** closing the thread's database; with all that comes before, less than a container's 30 seconds */
  threadClose: 12_000,
  /** interval of the event loop's signs of life */
  loopBeat: 50,
  /** a held event loop; longer ones are logged and counted */
  loopHeld: 500,
  /** interval of the checks by the event loop's watcher */
  loopCheck: 1_000,
  /** silence of the event loop, counted by those checks, after which the process is ended */
  loopSilence: 60_000,
  /** interval of the checks for due mail */
  outboxPoll: 2_000,
  /** delay from the start to the first retention run */
  firstRetention: 10_000,
  /** delay from the start to the first check for a due backup */
  firstBackup: 60_000,
  /** interval of these checks */
  backupCheck: 600_000,
  /** interval of the disk checks */
  diskCheck: 600_000,
  /** interval of the checks for room on a full disk, while the database waits for it */
  fullDiskCheck: 2_000,
  /** saving a consent record with a page; if it takes longer, the next page saves it again */
  consentRecord: 150,
  /** interval of the count reports */
  countReport: 60_000,
  /** delay from the start to the first check for trouble to report: events before the start, and states at the start */
  firstTroubleReport: 10_000,
  /** interval of these checks */
  troubleReport: 60_000,
  /** time in which an admin can take a reply back */
  replyPause: 30_000,
  /** interval of the looks for changed words and articles */
  ownTexts: 15_000,
  /** interval of the heartbeats */
  heartbeat: 900_000,
  /** interval of the checks for a heartbeat that is due, which repeat a failed one */
  heartbeatCheck: 60_000,
  /** a slot in the render queue */
  renderQueue: 2_000,
  /**
   * minimum time until the response to a failed sign-in, a request for a link, or a request to join the network, counted
   * from its admission. An unknown address costs no mail, no changed membership, and with a hosted project no hash, so
   * the response time would reveal who has an account or is a member
   */
  accountResponse: 600,
  /** a password attempt in the sign-in queue, or while the backend starts */
  signInQueue: 20_000,
  /** delay of a password from an unknown device while the account is under attack */
  signInDelay: 1_000,
};

/** Those of one site; tests shorten some. */
export type Timeouts = { [Name in keyof typeof defaultTimeouts]: number };
