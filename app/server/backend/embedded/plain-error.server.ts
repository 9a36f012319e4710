/** An error as structured data: cloned by itself it would lose its name and its code. */
export interface PlainError {
  name: string;
  message: string;
  stack: string | undefined;
  code: string | undefined;
}

/** Takes an error apart, to send it to another thread. */
export function toPlainError(error: unknown): PlainError {
  if (!(error instanceof Error)) return { name: "Error", message: String(error), stack: undefined, code: undefined };
  const { name, message, stack } = error;
  return { name, message, stack, code: "code" in error && typeof error.code === "string" ? error.code : undefined };
}

/** Puts an error together again: an `Error` with the name, message, stack and code of the one that was thrown. */
export function errorFrom({ name, message, stack, code }: PlainError): Error {
  return Object.assign(new Error(message), { name, stack }, code === undefined ? {} : { code });
}
