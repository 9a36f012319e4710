import { createSocket } from "node:dgram";
import { once } from "node:events";
import { type Answer, decode, encode } from "dns-packet";

/** A real name server on the loopback address. It returns NXDOMAIN for names without a record (RFC 1035). */
export interface NameServer {
  /** in the format of a resolver's `setServers` */
  address: string;
  close(): void;
}

/** Starts a name server. @param records in the format of dns-packet */
export async function startNameServer(records: Answer[]): Promise<NameServer> {
  const socket = createSocket("udp4");
  socket.on("message", (message, { port, address }) => {
    const { id, questions = [] } = decode(message);
    const [question] = questions;
    const named = records.filter(({ name }) => name === question?.name.toLowerCase());
    const answers = named.filter(({ type }) => type === question?.type);
    const isUnknown = named.length === 0;
    socket.send(encode({ type: "response", id: id ?? 0, flags: isUnknown ? 3 : 0, questions, answers }), port, address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  return { address: `127.0.0.1:${socket.address().port}`, close: () => socket.close() };
}
