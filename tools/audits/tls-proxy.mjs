import { readFileSync } from "node:fs";
import { createServer, request as forward } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { createServer as createSocketServer } from "node:net";
import { makeCertificate } from "../certificate.mjs";

/** The first byte of a TLS handshake (RFC 8446, section 5.1, ContentType). */
const tlsHandshake = 22;

/**
 * Starts a proxy in front of the product, as an operator's does: TLS, X-Forwarded-For, and a redirect for plain HTTP.
 * Both kinds of connection use one port, for a scanner that accepts only a host name.
 * @param {number} port to listen on, this machine only
 * @param {number} target the product's port
 * @returns the certificate that a client must trust (`certificateFile`), and `close`
 */
export async function startTlsProxy(port, target) {
  const { key, certificate, remove } = makeCertificate();
  const secure = createTlsServer({ key: readFileSync(key), cert: readFileSync(certificate) }, (incoming, outgoing) => {
    const headers = { ...incoming.headers, "x-forwarded-for": incoming.socket.remoteAddress };
    const onward = forward({ port: target, method: incoming.method, path: incoming.url, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.rawHeaders);
      response.pipe(outgoing);
    });
    onward.once("error", () => outgoing.destroy());
    incoming.pipe(onward);
  });
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
    certificateFile: certificate,
    close() {
      server.close();
      secure.closeAllConnections();
      plain.closeAllConnections();
      remove();
    },
  };
}
