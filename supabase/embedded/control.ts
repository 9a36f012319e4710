import { chmod, rm } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import { basename, join } from "node:path";
import { createInterface } from "node:readline";
import { type AdminCommand, adminCommandSchema } from "./auth/admin-commands.ts";
import { type BackendLog, stackWithoutMessage } from "./log.ts";
import { connectTo, listenIn } from "./folder/local-socket.ts";
import { makeSnapshotFolder, removeSnapshotFolder } from "./folder/snapshot.ts";
import { OperationRefused } from "./operations/operation-refused.ts";

/**
 * Socket in the data folder, accessible to its owner only. Commands use it to reach the server that holds the folder.
 */
const socketName = "control";

/** Handlers of the commands that callers can send to the server. */
export interface ControlHandlers {
  /** creates the folder and fills it with a consistent copy of the database */
  copyDatabase(folder: string): Promise<void>;
  /** @returns the text that the operator reads @throws OperationRefused when nothing was changed */
  runAdminCommand(request: AdminCommand): Promise<string>;
  /** describes the running server for `doctor`, as JSON without personal data; absent while it starts */
  readStatus?: (() => Promise<object>) | undefined;
}

/** Reply to an `AdminCommand`; `done: false` when nothing was changed. */
interface AdminReply {
  done: boolean;
  text: string;
}

/** The listening server. */
export interface Control {
  /** Closes all connections. Finishes and removes a snapshot in progress. */
  close(): Promise<void>;
}

/**
 * Serves callers, each of which sends one line. The reply to `snapshot` is a line with the name of a folder, never
 * data. The snapshot lasts as long as the caller stays connected, so that a killed caller leaves nothing behind. The
 * reply to `status` is the server's state as JSON, or null while it starts; the reply to an `AdminCommand` as JSON is an
 * `AdminReply` as JSON. Only the process that holds the folder's lock may call this.
 */
export async function openControl(dataDir: string, handlers: ControlHandlers, log: BackendLog): Promise<Control> {
  const callers = new Map<Socket, Promise<void>>();
  const server = createServer((caller) => {
    const served = serve(caller, dataDir, handlers, log).finally(() => {
      caller.destroy();
      callers.delete(caller);
    });
    callers.set(caller, served);
  });
  await rm(join(dataDir, socketName), { force: true });
  await listenIn(dataDir, socketName, server);
  // Emitted when a connection cannot be accepted for lack of a file descriptor.
  server.on("error", (error) =>
    log({ event: "embedded.control-error", level: "error", stack: stackWithoutMessage(error) }),
  );
  await chmod(join(dataDir, socketName), 0o600);
  return {
    close: async () => {
      server.close();
      for (const caller of callers.keys()) caller.destroy();
      await Promise.all(callers.values());
      await rm(join(dataDir, socketName), { force: true });
    },
  };
}

/**
 * Serves snapshots while `work` runs, from an open database that no other client can reach yet.
 * @param copyDatabase as in `ControlHandlers`
 * @throws what `work` throws
 */
export async function serveSnapshotsDuring(
  dataDir: string,
  copyDatabase: ControlHandlers["copyDatabase"],
  log: BackendLog,
  work: () => Promise<void>,
): Promise<void> {
  const control = await openControl(dataDir, { copyDatabase, runAdminCommand: refuseWhileStarting }, log);
  await work().finally(() => control.close());
}

async function refuseWhileStarting(): Promise<string> {
  throw new OperationRefused("The server is starting. Try again in a moment.");
}

async function serve(caller: Socket, dataDir: string, handlers: ControlHandlers, log: BackendLog): Promise<void> {
  const gone = new Promise((resolve) => caller.once("close", resolve));
  // A vanished caller needs no handling here.
  caller.on("error", () => {});
  const line = await Promise.race([firstLine(caller), gone]);
  if (typeof line !== "string") return;
  try {
    if (line === "snapshot") await keepSnapshot(caller, gone, dataDir, handlers, log);
    else if (line === "status") await send(caller, (await handlers.readStatus?.()) ?? null);
    else await runCommandLine(caller, line, handlers, log);
  } catch (error) {
    const event = line === "snapshot" ? "embedded.snapshot-failed" : "embedded.admin-command-failed";
    log({ event, level: "error", stack: stackWithoutMessage(error) });
  }
}

async function runCommandLine(caller: Socket, line: string, handlers: ControlHandlers, log: BackendLog): Promise<void> {
  const request = adminCommandSchema.parse(JSON.parse(line));
  const reply: AdminReply = await handlers.runAdminCommand(request).then(
    (text) => ({ done: true, text }),
    (error: unknown) => {
      if (error instanceof OperationRefused) return { done: false, text: error.message };
      throw error;
    },
  );
  if (request.command !== "list") log({ event: "embedded.admin-command", command: request.command, done: reply.done });
  await send(caller, reply);
}

async function send(caller: Socket, content: object | null): Promise<void> {
  await new Promise((sent) => caller.end(`${JSON.stringify(content)}\n`, () => sent(undefined)));
}

async function keepSnapshot(
  caller: Socket,
  gone: Promise<unknown>,
  dataDir: string,
  { copyDatabase }: ControlHandlers,
  log: BackendLog,
): Promise<void> {
  const snapshot = await makeSnapshotFolder(dataDir);
  try {
    const startedAt = performance.now();
    await copyDatabase(join(snapshot, "pg"));
    // The longest time that this snapshot made requests wait for the database.
    log({ event: "embedded.snapshot", ms: Math.round(performance.now() - startedAt) });
    caller.write(`${basename(snapshot)}\n`);
    await gone;
  } finally {
    caller.destroy();
    await removeSnapshotFolder(snapshot);
  }
}

/** Snapshot that the running server keeps until `release`. */
export interface HeldSnapshot {
  /** contains the copied `pg/`; the caller may use it freely */
  folder: string;
  release(): Promise<void>;
}

/**
 * Requests a snapshot from the server that runs on the data folder.
 * @returns null when no server listens there
 * @throws when the server hangs up without a reply
 */
export async function requestSnapshot(dataDir: string): Promise<HeldSnapshot | null> {
  const asked = await ask(dataDir, "snapshot");
  return asked && { folder: join(dataDir, asked.reply), release: asked.hangUp };
}

/**
 * Sends one of the operator's commands to the server that runs on the data folder.
 * @returns the text that the operator reads; null when no server listens there
 * @throws OperationRefused when nothing was changed
 * @throws when the server hangs up without a reply
 */
export async function sendAdminCommand(dataDir: string, request: AdminCommand): Promise<string | null> {
  const asked = await ask(dataDir, JSON.stringify(request));
  if (!asked) return null;
  await asked.hangUp();
  const { done, text } = JSON.parse(asked.reply) as AdminReply;
  if (!done) throw new OperationRefused(text);
  return text;
}

/**
 * Asks the server that runs on the data folder for its state. A server of another version may reply differently.
 * @returns null when no server listens there, or it is starting
 * @throws when the server hangs up without a reply, as an earlier version does
 */
export async function requestStatus(dataDir: string): Promise<unknown> {
  const asked = await ask(dataDir, "status");
  await asked?.hangUp();
  return asked && JSON.parse(asked.reply);
}

/** Sends a line. `hangUp` ends the connection. Returns null when no server listens there. */
async function ask(dataDir: string, line: string): Promise<{ reply: string; hangUp(): Promise<void> } | null> {
  const socket = await connectTo(dataDir, socketName);
  if (!socket) return null;
  // A killed server resets the connection; the close event that follows is enough.
  socket.on("error", () => {});
  const closed = new Promise((resolve) => socket.once("close", resolve));
  socket.write(`${line}\n`);
  const reply = await Promise.race([firstLine(socket), closed]);
  if (typeof reply !== "string") throw new Error("The server could not do that. See its log for the reason.");
  return {
    reply,
    hangUp: async () => {
      socket.end();
      await closed;
    },
  };
}

function firstLine(socket: Socket): Promise<string> {
  // readline re-emits the socket's errors; the socket's owner handles them.
  const lines = createInterface({ input: socket }).on("error", () => {});
  return new Promise((resolve) => lines.once("line", resolve));
}
