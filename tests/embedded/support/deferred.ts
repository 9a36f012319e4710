/** A promise that the test resolves. */
export interface Deferred {
  promise: Promise<void>;
  resolve(): void;
}

export function deferred(): Deferred {
  const listeners: (() => void)[] = [];
  const promise = new Promise<void>((resolve) => listeners.push(resolve));
  return { promise, resolve: () => listeners.forEach((listener) => listener()) };
}
