/** Thrown when an operation fails for a reason that the operator can fix; the message says how. */
export class OperationRefused extends Error {
  override readonly name: string = "OperationRefused";
}
