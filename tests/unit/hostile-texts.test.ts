import { readFileSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import ts from "typescript";
import { expect, it } from "vitest";
import { z } from "zod";
import { contactFields } from "#supabase/functions/_shared/contact-fields";
import { contactFieldSchema } from "#supabase/functions/_shared/contact-message";
import { boundedText, maxCharacters } from "#supabase/functions/_shared/form-text";
import { readJson } from "#supabase/functions/_shared/host/http";
import { readAtMost } from "#supabase/functions/_shared/host/read-at-most";
import { readSiteCall } from "#supabase/functions/_shared/host/site-call";
import { isSignedBySite, signatureHeader, signCall } from "#supabase/functions/_shared/host/site-signature";
import { composeMessage } from "#supabase/functions/_shared/mails/compose-message";
import { classifySmtpError } from "#supabase/functions/_shared/outbox/smtp-error";
import { checkFacts } from "~/content/firm/facts-schema.server";
import { normalizeText } from "~/lib/plain-text";
import { renameTrapField, trapFieldName } from "~/lib/trap-field";
import { isEverything } from "../support/everything";

const folders = ["app/lib", "app/content/firm", "supabase/functions/_shared"];

/** Units of hostile texts; each is repeated up to the wanted size. */
const units = {
  "marks of two classes": "\u0345\u0334",
  joiners: "\u200d",
  "lone surrogates": "\ud83d",
  "one letter": "a",
  brackets: "[<({",
  quotes: "\"'`",
  digits: "7",
  dots: ".",
  "at signs": "@",
  spaces: " ",
  breaks: "\r\n",
};

/** Exports that are not tried, by reason. */
const excluded: Record<string, string> = {
  "get 72 bytes at most from findPasswordFault": "isGuessedEarly",
  "take the first bytes of a file": "findPictureKind",
  "take an operator's file or checked facts": "readPortrait readFacts describeCompany",
  "take the page's own address": "reloadOnNetworkError",
  "open a connection":
    "sendEmail connectToMailServer findSignedInUser fetchWithTimeout tryBackend callBackend callForRow createSettlement",
  "take work or a function of ours":
    "respondToPosts respondToSite queueEach inBatches runWithHost runInBackground repeat",
  "take names, counts or headers that our code sets": "listFor digestMail passHeaders",
  "print to the log": "logEvent",
};
const untried = new Set(Object.values(excluded).flatMap((names) => names.split(" ")));

/** Calls of exports that need more than a text for each argument. */
const calls: Record<string, (text: string) => unknown> = {
  maxCharacters: (text) => z.string().check(maxCharacters("your text", 5_000)).safeParse(text),
  boundedText: (text) => boundedText("your text", 5_000, normalizeText).safeParse(text),
  contactFieldSchema: (text) => contactFieldSchema(contactFields.message).safeParse(text),
  classifySmtpError: (text) => classifySmtpError({ responseCode: 550, command: "RCPT TO", response: text }),
  checkFacts: (text) => checkFacts({ name: text, tagline: text, [text]: text }),
  readJson: (text) => readJson(makeRequest(text)),
  readSiteCall: (text) => readSiteCall(makeRequest(text), text),
  readAtMost: (text) => readAtMost(makeRequest(text), 262_144),
  signCall: (text) => signCall(text, { name: text, headers: new Headers(), body: text }),
  isSignedBySite: (text) => {
    const headers = new Headers({ [signatureHeader]: "A".repeat(43) });
    return isSignedBySite(text, { name: text, headers, body: text });
  },
  composeMessage: (text) => {
    const mail = { id: text, kind: "letter", subject: text, body: text, recipient: text, reply_to: text } as const;
    const link = { to: "page", token: text, closing: text } as const;
    const state = { thread: [text], sender_name: text, attempts: 0, created_at: text };
    return composeMessage({ ...mail, ...state, link }, { mayInventAddresses: true });
  },
  renameTrapField: (text) => {
    const form = new FormData();
    form.set(trapFieldName, text);
    renameTrapField(form);
  },
};

it("every export that takes text reads hostile texts in proportional time, all within 10 s of processor time", async () => {
  const files = [...folders.flatMap(listFiles), "bin/parse-env.mjs"];
  const exports = await Promise.all(files.flatMap(listExports).map(load));
  const before = measureMs();
  const faults = new Set<string>();
  for (const { file, name, call } of exports) {
    for (const [kind, unit] of Object.entries(units)) {
      const fault = await findFault(call, unit);
      if (fault !== null) faults.add(`${file}, ${name}: ${fault === tooSlow ? `${fault} with ${kind}` : fault}`);
    }
  }
  expect([...faults]).toEqual([]);
  expect(measureMs() - before).toBeLessThan(10_000);
});

async function load(exported: Exported) {
  const module = (await import(/* @vite-ignore */ resolve(exported.file))) as Record<string, unknown>;
  return { ...exported, call: (text: string) => tryText(exported, module[exported.name], text) };
}

/** A call whose time grows with the square of the size takes seconds for 31,250 characters. */
const sizes = isEverything ? [4_000, 31_250, 250_000] : [4_000, 31_250];

const tooSlow = "time grows faster than the text";

/**
 * Compares the times for texts of these sizes. In proportion, each takes eight times as long as the one before. Stops at
 * the first excess, because the next size would take seconds or minutes.
 */
async function findFault(call: (text: string) => Promise<string | null>, unit: string): Promise<string | null> {
  const text = unit.repeat(250_000 / unit.length);
  let before = Infinity;
  for (const size of sizes) {
    const part = text.slice(0, size);
    let ms = Infinity;
    // Other work of the machine slows some calls, not each of four.
    for (let times = 0; times < 4 && (times === 0 || isExcess(ms, before)); times++) {
      const begin = measureMs();
      const fault = await call(part);
      if (fault !== null) return fault;
      ms = Math.min(ms, measureMs() - begin);
    }
    if (isExcess(ms, before)) return tooSlow;
    before = ms;
  }
  return null;
}

/** Processor time: a busy machine stretches real time. */
function measureMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

function isExcess(ms: number, before: number): boolean {
  return ms > 150 && ms > 24 * before;
}

interface Exported {
  file: string;
  name: string;
  /** types of the parameters; null for a schema */
  parameters: string[] | null;
}

/**
 * Passes a text in every argument of an export.
 * @returns what the export needs to be tried; null if it took or refused the text
 */
async function tryText({ name, parameters }: Exported, exported: unknown, text: string): Promise<string | null> {
  try {
    const plainCall = exported as (...values: unknown[]) => unknown;
    const result = calls[name]
      ? calls[name](text)
      : parameters === null
        ? exported
        : plainCall(...parameters.map((type) => makeArgument(type, text)));
    if (result instanceof z.ZodType) result.safeParse(parameters === null ? makeRecord(text) : text);
    await result;
    return null;
  } catch (error) {
    const isUntried = error instanceof TypeError && /is not (?:a function|iterable)|Cannot read/.test(error.message);
    return isUntried ? `not tried, add a call or an exclusion (${error.message})` : null;
  }
}

function makeArgument(type: string, text: string): unknown {
  if (type === "number") return 5_000;
  if (type === "Date") return new Date(0);
  if (type === "FormData") return new FormData();
  if (type === "HeaderReader") return { get: () => text };
  if (type === "Request") return { method: "POST", headers: { get: () => text } };
  if (type === "boolean") return true;
  if (type.includes("=>")) return () => text;
  if (type.startsWith("ReadonlySet<")) return new Set([text]);
  if (type.endsWith("[]")) return type.includes("string") ? [text] : [makeRecord(text)];
  return /^(?:|unknown|string\b.*|".*)$/.test(type) ? text : makeRecord(text);
}

/** Makes a record with the text in every field. */
function makeRecord(text: string): unknown {
  const read = (_: unknown, key: string | symbol) => (key === "then" || typeof key === "symbol" ? undefined : text);
  return new Proxy({}, { get: read });
}

function makeRequest(text: string): Request {
  const headers = { "Content-Type": "application/json" };
  return new Request("http://site.example/", { method: "POST", headers, body: JSON.stringify({ text }) });
}

function listFiles(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return names.filter((name) => /(?<!\.test|\.d)\.ts$/.test(name)).map((name) => join(folder, name));
}

/** Lists the exported functions with a parameter that can hold text, and the exported schemas. */
function listExports(file: string): Exported[] {
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest);
  const values = source.statements.filter(isExported).flatMap((statement): [string, ts.Node | undefined][] => {
    if (ts.isFunctionDeclaration(statement)) return [[statement.name?.text ?? "", statement]];
    if (!ts.isVariableStatement(statement)) return [];
    return statement.declarationList.declarations.map((each) => [each.name.getText(source), each.initializer]);
  });
  return values.flatMap(([name, node]): Exported[] => {
    if (untried.has(name) || node === undefined) return [];
    if (!ts.isFunctionDeclaration(node) && !ts.isArrowFunction(node))
      return name.endsWith("Schema") ? [{ file, name, parameters: null }] : [];
    const required = node.parameters.filter(({ initializer }) => initializer === undefined);
    const parameters = required.map(({ type, dotDotDotToken }) => {
      const written = type?.getText(source) ?? "";
      return dotDotDotToken ? written.replace(/^(?:readonly )?(.*)\[\]$/, "$1") : written;
    });
    return parameters.every(isWithoutText) ? [] : [{ file, name, parameters }];
  });
}

function isExported(statement: ts.Statement): boolean {
  const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined;
  return modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false;
}

function isWithoutText(type: string): boolean {
  return /^(?:number|boolean.*|Date|Promise<.*|Response|.*=>.*)$/.test(type);
}
