import { once } from "node:events";
import { chmod, rm } from "node:fs/promises";
import { connect, createServer, type Server, type Socket } from "node:net";
import { basename, join } from "node:path";
import { createInterface } from "node:readline";
import { type Administered, type Administration, administrationSchema } from "./auth/administer.ts";
import { type BackendLog, stackWithoutMessage } from "./log.ts";
import { withShortPath } from "./folder/short-path.ts";
import { makeSnapshotFolder, removeSnapshotFolder } from "./folder/snapshot.ts";

/** A socket in the data folder, for its owner only: through it commands reach the server that holds the folder. */
const socketName = "control";

/** What can be asked of the server. */
export interface ControlAnswers {
  /** makes the folder and fills it with a consistent copy of the database */
  copyDatabase(folder: string): Promise<void>;
  administer(request: Administration): Promise<Administered>;
}

/** The listening end. */
export interface Control {
  /** Closes all connections; a snapshot in progress is finished and removed. */
  close(): Promise<void>;
}

/**
 * Answers callers, each of whom asks by one line. To `snapshot` the answer is a line with the name of a folder, never
 * data; the snapshot stays for as long as the caller stays connected, so that nothing is left behind by a caller that is
 * killed. To an `Administration` as JSON it is an `Administered` as JSON.
 * Only for the process that holds the folder's lock.
 */
export async function openControl(dataDir: string, answers: ControlAnswers, log: BackendLog): Promise<Control> {
  const callers = new Map<Socket, Promise<void>>();
  const server = createServer((caller) => {
    const served = serve(caller, dataDir, answers, log).finally(() => {
      caller.destroy();
      callers.delete(caller);
    });
    callers.set(caller, served);
  });
  await rm(join(dataDir, socketName), { force: true });
  await withShortPath(dataDir, socketName, (path) => listen(server, path));
  // Emitted when a caller cannot be taken, for want of a file descriptor.
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
 * Answers callers who ask for a snapshot for as long as `work` lasts: of a database that is open, and that nobody else can
 * reach yet.
 * @param copyDatabase as in `ControlAnswers`
 * @throws what `work` throws
 */
export async function lendDatabase(
  dataDir: string,
  copyDatabase: ControlAnswers["copyDatabase"],
  log: BackendLog,
  work: () => Promise<void>,
): Promise<void> {
  const control = await openControl(dataDir, { copyDatabase, administer: refuseWhileStarting }, log);
  await work().finally(() => control.close());
}

async function refuseWhileStarting(): Promise<Administered> {
  return { done: false, text: "The server is just starting. Try again in a moment." };
}

async function serve(caller: Socket, dataDir: string, answers: ControlAnswers, log: BackendLog): Promise<void> {
  const gone = new Promise((resolve) => caller.once("close", resolve));
  // A caller that vanishes is no trouble of the server's.
  caller.on("error", () => {});
  const asked = await Promise.race([firstLine(caller), gone]);
  if (typeof asked !== "string") return;
  const isSnapshot = asked === "snapshot";
  try {
    await (isSnapshot ? keepSnapshot(caller, gone, dataDir, answers, log) : doCommand(caller, asked, answers, log));
  } catch (error) {
    const event = isSnapshot ? "embedded.snapshot-failed" : "embedded.admin-command-failed";
    log({ event, level: "error", stack: stackWithoutMessage(error) });
  }
}

async function doCommand(caller: Socket, asked: string, answers: ControlAnswers, log: BackendLog): Promise<void> {
  const request = administrationSchema.parse(JSON.parse(asked));
  const answer = await answers.administer(request);
  if (request.command !== "list") log({ event: "embedded.admin-command", command: request.command, done: answer.done });
  await new Promise((sent) => caller.end(`${JSON.stringify(answer)}\n`, () => sent(undefined)));
}

async function keepSnapshot(
  caller: Socket,
  gone: Promise<unknown>,
  dataDir: string,
  { copyDatabase }: ControlAnswers,
  log: BackendLog,
): Promise<void> {
  const snapshot = await makeSnapshotFolder(dataDir);
  try {
    const startedAt = performance.now();
    await copyDatabase(join(snapshot, "pg"));
    // For so long requests waited for the database, at most.
    log({ event: "embedded.snapshot", ms: Math.round(performance.now() - startedAt) });
    caller.write(`${basename(snapshot)}\n`);
    await gone;
  } finally {
    caller.destroy();
    await removeSnapshotFolder(snapshot);
  }
}

/** A snapshot that the running server keeps until `release`. */
export interface HeldSnapshot {
  /** holds the copied `pg/`, and is the caller's to use */
  folder: string;
  release(): Promise<void>;
}

/**
 * Asks the server that runs on the data folder for a snapshot.
 * @returns null when no server listens there
 * @throws when the server hangs up without an answer
 */
export async function requestSnapshot(dataDir: string): Promise<HeldSnapshot | null> {
  const socket = await withShortPath(dataDir, socketName, reach);
  if (!socket) return null;
  // A server that is killed resets the connection; the close that follows is enough to know.
  socket.on("error", () => {});
  const closed = new Promise((resolve) => socket.once("close", resolve));
  socket.write("snapshot\n");
  const answer = await Promise.race([firstLine(socket), closed]);
  if (typeof answer !== "string") throw new Error("The server could not make a snapshot; its log says why.");
  return {
    folder: join(dataDir, answer),
    release: async () => {
      socket.end();
      await closed;
    },
  };
}

/**
 * Asks the server that runs on the data folder to do one of the operator's commands.
 * @returns null when no server listens there
 * @throws when the server hangs up without an answer
 */
export async function requestAdministration(dataDir: string, request: Administration): Promise<Administered | null> {
  const socket = await withShortPath(dataDir, socketName, reach);
  if (!socket) return null;
  socket.on("error", () => {});
  const closed = new Promise((resolve) => socket.once("close", resolve));
  socket.write(`${JSON.stringify(request)}\n`);
  const answer = await Promise.race([firstLine(socket), closed]);
  socket.destroy();
  if (typeof answer !== "string") throw new Error("The server did not answer; its log says why.");
  return JSON.parse(answer) as Administered;
}

async function reach(path: string): Promise<Socket | null> {
  const socket = connect(path);
  try {
    await once(socket, "connect");
    return socket;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : "";
    if (code === "ENOENT" || code === "ECONNREFUSED") return null;
    throw error;
  }
}

function firstLine(socket: Socket): Promise<string> {
  // readline emits the errors of the socket again; whoever has the socket takes them.
  const lines = createInterface({ input: socket }).on("error", () => {});
  return new Promise((resolve) => lines.once("line", resolve));
}

async function listen(server: Server, path: string): Promise<void> {
  server.listen(path);
  await once(server, "listening");
  // As with the lock: it must not keep a finished script running.
  server.unref();
}
