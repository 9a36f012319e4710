// Holds requests open on HTTP/2 connections from one address, says so on standard output once all have begun, and goes on until
// this process is ended. A process of its own, so that it does not slow the one that measures.
// Arguments: port of https, number of connections, streams on each, and "post" (one byte of a body of 100) or "read" (asks for a
// page and takes nothing of it).
import { once } from "node:events";
import { connect } from "node:http2";
import { connect as connectTls } from "node:tls";

const [port, connections, streams, way] = process.argv.slice(2);
const settings = way === "read" ? { initialWindowSize: 0 } : {};
const target = { ":scheme": "https", ":authority": `firm.example:${port}` };
const post = { ...target, ":method": "POST", ":path": "/contact", "content-length": "100" };

for (let opened = 0; opened < Number(connections); opened++) {
  const tls = { port: Number(port), host: "127.0.0.1", localAddress: "127.0.0.2", servername: "firm.example" };
  const session = connect(`https://firm.example:${port}`, {
    settings,
    createConnection: () => connectTls({ ...tls, rejectUnauthorized: false, ALPNProtocols: ["h2"] }),
  });
  // The proxy may hang up: that is its good right.
  session.on("error", () => {});
  await once(session, "remoteSettings");
  for (let count = 0; count < Number(streams); count++) {
    const stream =
      way === "read"
        ? session.request({ ...target, ":path": "/" })
        : session.request({ ...post, "content-type": "application/x-www-form-urlencoded" });
    stream.on("error", () => {});
    if (way === "post") stream.resume().write("x");
  }
}
console.log("all have begun");
setInterval(() => {}, 60_000);
