/** The part of negotiator 0.6.4 that is used here; @types/negotiator does not know the server's own order. */
declare module "negotiator" {
  export default class Negotiator {
    constructor(request: { headers: { "accept-encoding"?: string } });
    /**
     * @param available encodings that the server has
     * @param preferred its own order, for encodings that the client likes equally well
     * @returns those that the client takes, the best first
     */
    encodings(available: readonly string[], preferred: readonly string[]): string[];
  }
}
