import { once } from "node:events";
import { type AddressInfo, type Socket, createServer } from "node:net";
import { createInterface } from "node:readline";

/** Step of a session that the script decides: the connection, a command, or the text with its final dot. */
export type Step = "connect" | "EHLO" | "MAIL" | "RCPT" | "DATA" | "dot";

/** Reaction to a step: a reply, or the end of the connection; null takes the step's usual reply. */
type Reaction = string | "drop" | null;

/** An SMTP server on the loopback address whose test decides each reply. */
export interface ScriptedMailServer {
  url: string;
  /** recipients and text of each mail that it took */
  taken: { to: string[]; text: string }[];
  /** commands received, without the text */
  commands: string[];
  /** reacts to a step; it may wait */
  script: (step: Step, line: string, connections: number) => Reaction | Promise<Reaction>;
  close(): void;
}

const usual: Record<Step, string> = {
  connect: "220 mx.example",
  EHLO: "250 mx.example",
  MAIL: "250 Ok",
  RCPT: "250 Ok",
  DATA: "354 Go",
  dot: "250 Taken",
};

/** Starts a server that takes every mail until its script is set. */
export async function startScriptedMailServer(): Promise<ScriptedMailServer> {
  const sockets = new Set<Socket>();
  const listener = createServer((socket) => void serve(socket).catch(() => socket.destroy()));
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  const server: ScriptedMailServer = {
    url: `smtp://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    taken: [],
    commands: [],
    script: () => null,
    close: () => {
      for (const socket of sockets) socket.destroy();
      listener.close();
    },
  };

  async function serve(socket: Socket): Promise<void> {
    sockets.add(socket);
    socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
    const lines = createInterface({ input: socket })[Symbol.asyncIterator]();
    let to: string[] = [];
    const react = async (step: Step, line: string) => {
      const reply = (await server.script(step, line, sockets.size)) ?? usual[step];
      if (reply === "drop") socket.destroy();
      else socket.write(`${reply}\r\n`);
      return reply;
    };
    if (!(await react("connect", "")).startsWith("2")) return void socket.end();
    for (let next = await lines.next(); !next.done; next = await lines.next()) {
      const line = next.value;
      server.commands.push(line);
      const step = (["EHLO", "MAIL", "RCPT", "DATA"] as const).find((name) => line.startsWith(name));
      if (step === undefined) {
        socket.write(line === "QUIT" ? "221 Bye\r\n" : "502 No\r\n");
        continue;
      }
      const reply = await react(step, line);
      if (reply.startsWith("421")) return void socket.end();
      if (step === "MAIL") to = [];
      if (step === "RCPT" && reply.startsWith("2")) to.push(/<(.*)>/.exec(line)?.[1] ?? "");
      if (step !== "DATA" || !reply.startsWith("3")) continue;
      const text: string[] = [];
      for (let part = await lines.next(); !part.done && part.value !== "."; part = await lines.next())
        text.push(part.value);
      if (socket.destroyed) return;
      const end = await react("dot", "");
      if (end.startsWith("2")) server.taken.push({ to, text: text.join("\n") });
    }
  }

  return server;
}
