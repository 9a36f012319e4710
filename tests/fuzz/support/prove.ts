import * as fc from "fast-check";
import { cookies } from "~/content/cookie-registry";
import type { RunningSite } from "../../support/product";
import { type Attempt, type AttemptAnswer, ask } from "./ask";

/** Sent at once, so that requests also meet each other. */
const atOnce = 10;

/** The same attempts every time, unless told otherwise: a test that fails must fail again. */
const seed = Number(process.env.FUZZ_SEED ?? 20_261_121);

/** How many of the attempts of a full run are made: all by `npm run fuzz`, a tenth by `npm test`. @returns a multiple of ten */
export function share(count: number): number {
  return process.env.FUZZ === "all" ? count : Math.max(10 * Math.round(count / 100), 20);
}

const ownCookies = new Set<string>(Object.values(cookies).map(({ name }) => name));

/**
 * Sends that many attempts, ten at a time, and looks at every answer.
 * @param count a multiple of ten
 * @param check what more must hold of an answer
 * @returns how many were answered well
 * @throws with the attempt that failed, and how to make the same ones again
 */
export async function prove(
  product: RunningSite,
  attempts: fc.Arbitrary<Attempt>,
  count: number,
  check: (answer: AttemptAnswer, attempt: Attempt) => void = () => {},
): Promise<number> {
  let answered = 0;
  const batch = fc.array(attempts, { minLength: atOnce, maxLength: atOnce });
  const property = fc.asyncProperty(batch, async (some) => {
    await Promise.all(some.map((attempt) => tryOut(product, attempt, check)));
    answered += some.length;
  });
  // What fails names itself: to shrink ten attempts at once would take long and find no smaller one.
  const result = await fc.check(property, { numRuns: count / atOnce, seed, endOnFailure: true });
  if (result.failed)
    throw new Error(`Attempts ${result.counterexamplePath} of FUZZ_SEED=${seed}`, { cause: result.errorInstance });
  requireQuietLog(product);
  return answered;
}

async function tryOut(
  product: RunningSite,
  attempt: Attempt,
  check: (answer: AttemptAnswer, attempt: Attempt) => void,
): Promise<void> {
  const answer = await ask(product.url, attempt).catch((cause: unknown) => {
    throw new Error(`${describe(attempt)}\nbroke the connection`, { cause });
  });
  try {
    requireClear(answer);
    check(answer, attempt);
  } catch (cause) {
    throw new Error(`${describe(attempt)}\nwas answered ${answer.status}`, { cause });
  }
}

/**
 * What every answer must be, whatever was asked: no failure of ours, no way to another site, no cookie or header that
 * somebody else put there.
 * @throws Error that says which of these it is not
 */
export function requireClear({ status, headers }: AttemptAnswer): void {
  if (status < 200 || status >= 500) throw new Error(`status ${status}`);
  const { location } = headers;
  if (location !== undefined && !/^\/(?![/\\])[\x21-\x7e]*$/.test(location)) throw new Error(`Location ${location}`);
  if (!headers["content-security-policy"]?.includes("default-src 'none'")) throw new Error("no policy");
  if (headers["x-content-type-options"] !== "nosniff") throw new Error("sniffable");
  for (const line of headers["set-cookie"] ?? []) {
    const name = line.slice(0, line.indexOf("=")).replace(/\.\d+$/, "");
    if (!ownCookies.has(name) && !line.includes("Max-Age=0")) throw new Error(`a cookie ${name}`);
  }
}

/**
 * A page may show what was sent, as text; never as an element.
 * @throws Error that names the element
 */
export function requireHarmless({ headers, body }: AttemptAnswer): void {
  if (!headers["content-type"]?.startsWith("text/html")) return;
  const element = ["<script>alert(1)", "<img src=x", "<svg onload"].find((trick) => body.includes(trick));
  if (element) throw new Error(`the element ${element}`);
}

/** No input may make the product log a failure of its own, nor end it. */
export function requireQuietLog(product: RunningSite): void {
  const failures = product
    .output()
    .split("\n")
    .filter((line) => line.includes('"level":"error"') || /^\s+at /.test(line));
  if (failures.length > 0) throw new Error(`The product logged:\n${failures.slice(0, 5).join("\n")}`);
}

function describe({ method, path, headers, body }: Attempt): string {
  return `${method} ${path} ${JSON.stringify(headers ?? {})} ${JSON.stringify(body?.toString("latin1").slice(0, 600) ?? "")}`;
}
