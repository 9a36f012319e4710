import { once } from "node:events";
import type { Server } from "node:http";

/** Thrown when the server cannot listen on its port or address. The message names the setting and the remedy. */
export class ListenFailed extends Error {
  override name = "ListenFailed";
}

/**
 * Starts a server listening.
 * @param settings names of the settings that hold its port and its address
 * @throws ListenFailed
 */
export async function listenOn(
  server: Server,
  { port, host }: { port: number; host: string },
  settings: { port: string; host: string },
): Promise<void> {
  server.listen(port, host);
  try {
    await once(server, "listening");
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "";
    throw code === "" ? error : new ListenFailed(explain(code, port, settings), { cause: error });
  }
}

function explain(code: string, port: number, settings: { port: string; host: string }): string {
  switch (code) {
    case "EADDRINUSE":
      return `Another program listens on port ${port} (${code}): stop it, or set ${settings.port} to another.`;
    case "EACCES":
      return `This user may not listen on port ${port} (${code}): set ${settings.port} to 1024 or more.`;
    default:
      return (
        `${settings.host} is no address that this machine can listen on (${code}): ` +
        "set it to 127.0.0.1 for this machine only, or to 0.0.0.0 for all its networks."
      );
  }
}
