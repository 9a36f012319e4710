/** How long this site waits, in milliseconds; a test may wait less. */
export interface Timeouts {
  /** for a request's header fields (RFC 9110 sets no limit) */
  headers: number;
  /** for a request's body; one that comes at 1 kB/s may take longer, as from a slow phone */
  body: number;
  /** for a client that takes nothing of its response */
  reader: number;
  /** how soon Node notices late header fields */
  connectionCheck: number;
  /** an idle connection; longer than a proxy in front keeps one, so that the proxy hangs up first */
  keepAlive: number;
  /** requests under way when the process stops */
  shutdown: number;
  /** a busy keep-alive connection's last request, whose response carries `Connection: close` */
  lastRequest: number;
  /** one call to the backend: a visitor waits for one at most */
  backendCall: number;
  /** a form for a backend that is still starting */
  backendStart: number;
  /** all calls of one admin's request together, retries included */
  session: number;
  /** a probe of the backend; shorter than the second that orchestrators wait by default */
  probe: number;
  /** until a circuit breaker lets a call through again */
  circuitReset: number;
  /** between two questions to the embedded backend's thread */
  threadProbe: number;
  /** until a silent thread is ended */
  threadSilence: number;
  /** for a call of the thread's database; three in a row that take longer end the thread */
  threadCall: number;
  /** the thread's long work: opening with migrations, or a copy for a backup */
  threadLongWork: number;
  /** for the thread to close its database; less than a container's 30 seconds, with what comes before it */
  threadClose: number;
  /** between two looks for mail that is due */
  outboxPoll: number;
  /** from the start to the first deletion of what is past its retention period */
  firstRetention: number;
  /** from the start to the first look whether a backup is due */
  firstBackup: number;
  /** between two such looks */
  backupCheck: number;
  /** between two looks at the disk */
  diskCheck: number;
  /** a page for a consent record to be saved; the next page repeats what took longer */
  consentRecord: number;
  /** between two reports of what was counted */
  countReport: number;
  /** for a place in the render queue */
  renderQueue: number;
  /**
   * before a failed sign-in or a request for a new password is answered, counted from when it is admitted: an unknown address costs
   * no mail, and with a hosted project no hash, and without this the time would tell a stranger who has an account
   */
  accountAnswer: number;
  /** a try of a password for its turn, or for a backend that is still starting */
  signInTurn: number;
  /** before a password from an unknown device is tried, where an account is under attack */
  slowedSignIn: number;
}

/** What production waits. */
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
  circuitReset: 5_000,
  threadProbe: 5_000,
  threadSilence: 30_000,
  threadCall: 20_000,
  threadLongWork: 600_000,
  threadClose: 12_000,
  outboxPoll: 2_000,
  firstRetention: 10_000,
  firstBackup: 60_000,
  backupCheck: 600_000,
  diskCheck: 600_000,
  consentRecord: 150,
  countReport: 60_000,
  renderQueue: 2_000,
  accountAnswer: 600,
  signInTurn: 20_000,
  slowedSignIn: 1_000,
};
