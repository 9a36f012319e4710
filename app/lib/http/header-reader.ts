/**
 * What reads one header by its lower-case name: the `Headers` of the Fetch API, or the edge's own view of a request of
 * Node's, which costs nothing to make.
 */
export type HeaderReader = Pick<Headers, "get">;

/** A request, as far as its headers tell. */
export interface HasHeaders {
  headers: HeaderReader;
}
