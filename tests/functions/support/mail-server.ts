import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer } from "smtp-server";

/** A received mail: envelope and parsed content. */
interface ReceivedMail {
  from: string;
  recipients: string[];
  content: Email;
  isEncrypted: boolean;
}

/** A real SMTP server on the loopback address that stores received mail. */
export interface MailServer {
  url: string;
  received: ReceivedMail[];
  /** sign-ins; optional, and every password is accepted unless `password` is set */
  signIns: { user: string; password: string }[];
  /** Rejects RCPT for an address, or for "everybody", with this reply code and text; null accepts it again. */
  refuse(address: string, code: number | null, text?: string): void;
  /**
   * Leaves RCPT unanswered, for everybody or for one address, or drops those connections and answers again. Returns how
   * many waited.
   */
  hang(isHanging: boolean, address?: string): number;
  /** Forgets mails and sign-ins, and takes everything again. */
  reset(): void;
  close(): Promise<void>;
}

/**
 * @param options.password the only accepted password
 * @param options.offersTls offers STARTTLS with a self-signed certificate
 */
export async function startMailServer(options: { password?: string; offersTls?: boolean } = {}): Promise<MailServer> {
  const { password, offersTls = false } = options;
  const received: ReceivedMail[] = [];
  const signIns: MailServer["signIns"] = [];
  const refusals = new Map<string, { responseCode: number; text: string | undefined }>();
  let hanging: ((error: Error) => void)[] | null = null;
  let hangsFor: string | undefined;
  const server = new SMTPServer({
    disabledCommands: offersTls ? [] : ["STARTTLS"],
    authOptional: true,
    allowInsecureAuth: true,
    logger: false,
    onAuth: (credentials, _session, done) => {
      const given = credentials.password ?? "";
      const username = credentials.username ?? "";
      signIns.push({ user: username, password: given });
      if (password === undefined || given === password) done(null, { user: username });
      else done(Object.assign(new Error("no"), { responseCode: 535 }));
    },
    onRcptTo: ({ address }, _session, done) => {
      if (hanging && (hangsFor ?? address) === address) return void hanging.push(done);
      const refusal = refusals.get(address) ?? refusals.get("everybody");
      if (!refusal) return done();
      const { responseCode, text = `no mail for ${address}` } = refusal;
      done(Object.assign(new Error(text), { responseCode }));
    },
    onData: async (stream, { envelope, secure }, done) => {
      const raw = await buffer(stream).catch(() => null);
      // The client was killed while it sent.
      if (raw === null) return done(new Error("incomplete"));
      const content = await PostalMime.parse(raw);
      const from = envelope.mailFrom ? envelope.mailFrom.address : "";
      received.push({ from, recipients: envelope.rcptTo.map(({ address }) => address), content, isEncrypted: secure });
      done();
    },
  });
  // Ignore clients that disconnect early.
  server.on("error", () => undefined);
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  function hang(isHanging: boolean, address?: string): number {
    hangsFor = address;
    const waited = hanging ?? [];
    hanging = isHanging ? waited : null;
    if (!isHanging) for (const done of waited) done(Object.assign(new Error("closing"), { responseCode: 421 }));
    return waited.length;
  }
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    received,
    signIns,
    refuse: (address, code, text) =>
      void (code === null ? refusals.delete(address) : refusals.set(address, { responseCode: code, text })),
    hang,
    reset: () => {
      received.length = signIns.length = 0;
      refusals.clear();
      hang(false);
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

/** Returns a header's value by its lower-case name, or undefined. */
export function headerOf(content: Email, name: string): string | undefined {
  return content.headers.find((header) => header.key === name)?.value;
}
