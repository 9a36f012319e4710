import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";

/** A request that a client makes again and again; `until` is a text of every complete answer. */
export interface LoadRequest {
  path: string;
  form?: Record<string, string>;
  status: number;
  /** stands at the end of a complete answer's body */
  end: string;
}

/** What became of all requests. */
export interface LoadReport {
  answered: number;
  /** connections that were not taken: nothing was lost with them */
  refused: number;
  /** everything else, in words */
  lost: string[];
}

/** Clients that each keep one connection, as browsers and balancers do, and ask as fast as they are answered. */
export interface Load {
  report: LoadReport;
  /** lets the requests under way finish and makes no more */
  stop(): Promise<LoadReport>;
  /** resolves once every client has been refused or stopped */
  over: Promise<LoadReport>;
}

/**
 * Starts clients that go on until they are stopped or no connection is taken any more.
 * @param url origin of the product
 * @param mix what the clients ask for, in turns
 */
export function startLoad(url: string, clients: number, mix: readonly LoadRequest[]): Load {
  const report: LoadReport = { answered: 0, refused: 0, lost: [] };
  const halt = new AbortController();

  async function run(turn: number): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let i = turn; !halt.signal.aborted; i++) {
      const asked = mix[i % mix.length];
      if (asked === undefined) break;
      try {
        await ask(agent, url, asked);
        report.answered++;
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException;
        if (code === "ECONNREFUSED") report.refused++;
        else report.lost.push(`${asked.path}: ${code ?? message}`);
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

async function ask(agent: Agent, url: string, { path, form, status, end }: LoadRequest): Promise<void> {
  const body = form && new URLSearchParams(form).toString();
  const headers = body === undefined ? {} : { Origin: url, "Content-Type": "application/x-www-form-urlencoded" };
  const sent = request(url + path, { agent, method: body === undefined ? "GET" : "POST", headers });
  sent.end(body);
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  const text = await readAll(response);
  // The render queue of a machine that has other work: an answer like any other, and nothing is lost with it.
  if (response.statusCode === 503 && response.headers["retry-after"] === "5") return;
  if (response.statusCode !== status) throw new Error(`answered ${response.statusCode}`);
  if (!text.endsWith(end)) throw new Error("the answer is cut off");
}

async function readAll(response: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of response.setEncoding("utf8")) text += chunk as string;
  // Without it an answer that was cut off would look like one that is over.
  if (!response.complete) throw new Error("the answer is cut off");
  return text;
}
