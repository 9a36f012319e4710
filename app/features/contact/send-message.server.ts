import { type FunctionOutcome, askFunction } from "~/server/call-function.server";
import { clientCodeHeader } from "~/server/client-code.server";

/** A message on its way to the firm. */
export interface Delivery {
  message: Record<string, unknown>;
  /** the visitor's address, where known; stored beside the message, and counted by */
  address: string | null;
  /** lets it be sent any number of times and stored once; without it the same words are stored once a day */
  key: string | null;
}

/** Sends a message to the edge function, once. A failure is logged by its cause, never with what was sent. */
export async function sendMessage({ message, address, key }: Delivery): Promise<FunctionOutcome> {
  return askFunction({
    name: "send-contact-email",
    failure: "contact.unavailable",
    body: message,
    headers: {
      ...clientCodeHeader(address),
      ...(address === null ? {} : { "x-client-address": address }),
      ...(key === null ? {} : { "x-delivery-key": key }),
    },
  });
}
