/** A request as structured data. */
export interface RequestMessage {
  url: string;
  method: string;
  headers: [string, string][];
  body: ArrayBuffer | null;
}

/** A response as structured data. */
export interface ResponseMessage {
  status: number;
  headers: [string, string][];
  body: ArrayBuffer | null;
}

/** Reads a request whole, as `fetch` is given it; its signal goes another way. */
export async function toRequestMessage(request: Request): Promise<RequestMessage> {
  const { url, method, headers } = request;
  return { url, method, headers: [...headers], body: request.body && (await request.arrayBuffer()) };
}

export function requestFrom({ url, ...init }: RequestMessage, signal: AbortSignal): Request {
  return new Request(url, { ...init, signal });
}

/** Reads a response whole: the embedded backend's are complete when they come. */
export async function toResponseMessage(response: Response): Promise<ResponseMessage> {
  const { status, headers } = response;
  return { status, headers: [...headers], body: response.body && (await response.arrayBuffer()) };
}

export function responseFrom({ body, ...init }: ResponseMessage): Response {
  return new Response(body, init);
}
