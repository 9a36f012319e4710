import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, request as forward } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { createServer as createSocketServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Node makes no certificates; this program of the machine does. */
const openssl = "openssl";
/** The first byte of a TLS handshake (RFC 8446, section 5.1, ContentType). */
const tlsHandshake = 22;

/**
 * Stands before the product as an operator's proxy does: TLS, X-Forwarded-For, and a redirect for whoever comes without
 * TLS. Both kinds of connection come to one port, for a scanner that takes a host name and nothing else.
 * @param {number} port to listen on, this machine only
 * @param {number} target the product's port
 * @returns what a client must trust (`certificateFile`), and `close`
 */
export async function startTlsProxy(port, target) {
  const folder = mkdtempSync(join(tmpdir(), "tls-"));
  const [key, cert] = ["key.pem", "certificate.pem"].map((name) => join(folder, name));
  const names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
  const args = [
    "req",
    "-x509",
    "-newkey",
    "ec",
    "-pkeyopt",
    "ec_paramgen_curve:P-256",
    "-nodes",
    "-days",
    "1",
    ...names,
  ];
  execFileSync(openssl, [...args, "-keyout", key ?? "", "-out", cert ?? ""], { stdio: "ignore" });
  const secure = createTlsServer(
    { key: readFileSync(key ?? ""), cert: readFileSync(cert ?? "") },
    (incoming, outgoing) => {
      const headers = { ...incoming.headers, "x-forwarded-for": incoming.socket.remoteAddress };
      const onward = forward({ port: target, method: incoming.method, path: incoming.url, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
        answer.pipe(outgoing);
      });
      onward.once("error", () => outgoing.destroy());
      incoming.pipe(onward);
    },
  );
  const plain = createServer((incoming, outgoing) => {
    outgoing.writeHead(301, { Location: `https://localhost:${port}${incoming.url}` }).end();
  });
  const server = createSocketServer((socket) => {
    socket.on("error", () => socket.destroy());
    socket.once("data", (first) => {
      socket.pause();
      socket.unshift(first);
      (first[0] === tlsHandshake ? secure : plain).emit("connection", socket);
      process.nextTick(() => socket.resume());
    });
  });
  await new Promise((resolve) => server.listen(port, "localhost", () => resolve(undefined)));
  return {
    certificateFile: cert ?? "",
    close() {
      server.close();
      secure.closeAllConnections();
      plain.closeAllConnections();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
