// Holds requests open on HTTP/2 connections from one address. Prints a line once all have started, and runs until it is
// killed. It is a separate process, so that it does not slow the measuring one.
// Arguments: HTTPS port, number of connections, streams per connection, and the kind: "post" (sends one byte of a body
// of 100) or "read" (requests a page and reads none of it).
import { once } from "node:events";
import { connect } from "node:http2";
import { connect as connectTls } from "node:tls";

const [port, connections, streams, kind] = process.argv.slice(2);
const settings = kind === "read" ? { initialWindowSize: 0 } : {};
const target = { ":scheme": "https", ":authority": `firm.example:${port}` };
const type = "application/x-www-form-urlencoded";
const post = { ...target, ":method": "POST", ":path": "/contact", "content-length": "100", "content-type": type };

for (let opened = 0; opened < Number(connections); opened++) {
  const tls = { port: Number(port), host: "127.0.0.1", localAddress: "127.0.0.2", servername: "firm.example" };
  const session = connect(`https://firm.example:${port}`, {
    settings,
    createConnection: () => connectTls({ ...tls, rejectUnauthorized: false, ALPNProtocols: ["h2"] }),
  });
  // The proxy may close the connection.
  session.on("error", () => {});
  await once(session, "remoteSettings");
  for (let count = 0; count < Number(streams); count++) {
    const stream = session.request(kind === "read" ? { ...target, ":path": "/" } : post);
    stream.on("error", () => {});
    if (kind === "post") stream.resume().write("x");
  }
}
console.log("all streams have started");
setInterval(() => {}, 60_000);
