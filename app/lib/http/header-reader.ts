/**
 * Reads one header by its lower-case name: the `Headers` of the Fetch API, or the edge's own view of a Node request,
 * which costs nothing to create.
 */
export type HeaderReader = Pick<Headers, "get">;

/** The headers of a request. */
export interface HasHeaders {
  headers: HeaderReader;
}
