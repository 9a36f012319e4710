/** An option for `createClient`, which refuses to be without a WebSocket class; Node 20 has none. Nothing opens one. */
export const realtime = { transport: openNoSocket as unknown as typeof WebSocket };

function openNoSocket(): never {
  throw new Error("nothing here opens a realtime connection");
}
