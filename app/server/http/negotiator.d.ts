/** The part of negotiator 0.6.4 that we use; @types/negotiator lacks the parameter `preferred`. */
declare module "negotiator" {
  export default class Negotiator {
    constructor(request: { headers: { "accept-encoding"?: string } });
    /**
     * @param available encodings that the server has
     * @param preferred the server's order, for encodings that the client accepts with equal weight
     * @returns encodings that the client accepts, best first
     */
    encodings(available: readonly string[], preferred: readonly string[]): string[];
  }
}
