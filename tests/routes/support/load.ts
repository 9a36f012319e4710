import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";

/** A request that a client repeats. */
export interface LoadRequest {
  path: string;
  form?: Record<string, string>;
  status: number;
  /** the end of a complete response's body */
  end: string;
}

/** Outcome of all requests. */
export interface LoadReport {
  answered: number;
  /** refused connections, which lose nothing */
  refused: number;
  /** descriptions of all other failures */
  lost: string[];
}

/**
 * Clients that each keep one connection open, like browsers and balancers, and send the next request after each
 * response.
 */
export interface Load {
  report: LoadReport;
  /** lets the requests in flight finish and sends no more */
  stop(): Promise<LoadReport>;
  /** resolves once every client was refused or stopped */
  over: Promise<LoadReport>;
}

/**
 * Starts clients that run until they are stopped or a connection is refused.
 * @param url origin of the product
 * @param mix requests of the clients, in turns
 */
export function startLoad(url: string, clients: number, mix: readonly LoadRequest[]): Load {
  const report: LoadReport = { answered: 0, refused: 0, lost: [] };
  const halt = new AbortController();

  async function run(turn: number): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let i = turn; !halt.signal.aborted; i++) {
      const next = mix[i % mix.length];
      if (next === undefined) break;
      try {
        await sendRequest(agent, url, next);
        report.answered++;
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException;
        if (code === "ECONNREFUSED") report.refused++;
        else report.lost.push(`${next.path}: ${code ?? message}`);
        break;
      }
    }
    agent.destroy();
  }
  const over = Promise.all(Array.from({ length: clients }, (_, turn) => run(turn))).then(() => report);
  return {
    report,
    over,
    stop: () => {
      halt.abort();
      return over;
    },
  };
}

async function sendRequest(agent: Agent, url: string, { path, form, status, end }: LoadRequest): Promise<void> {
  const body = form && new URLSearchParams(form).toString();
  const headers = body === undefined ? {} : { Origin: url, "Content-Type": "application/x-www-form-urlencoded" };
  const sent = request(url + path, { agent, method: body === undefined ? "GET" : "POST", headers });
  sent.end(body);
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  const text = await readAll(response);
  // A busy machine's full render queue sends a normal response, and nothing is lost.
  if (response.statusCode === 503 && response.headers["retry-after"] === "5") return;
  if (response.statusCode !== status) throw new Error(`got ${response.statusCode}`);
  if (!text.endsWith(end)) throw new Error("the response is cut off");
}

async function readAll(response: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of response.setEncoding("utf8")) text += chunk as string;
  // Without this check a response that was cut off would look complete.
  if (!response.complete) throw new Error("the response is cut off");
  return text;
}
