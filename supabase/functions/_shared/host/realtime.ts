/** Option for `createClient`, which requires a WebSocket class; Node 20 has none. No code opens a socket. */
export const realtime = { transport: openNoSocket as unknown as typeof WebSocket };

function openNoSocket(): never {
  throw new Error("nothing here opens a realtime connection");
}
