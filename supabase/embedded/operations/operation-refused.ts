/** An operation that cannot be done, for a reason that the operator can do something about; the message says what. */
export class OperationRefused extends Error {
  override readonly name = "OperationRefused";
}
