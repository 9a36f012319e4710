import { type PGlite, protocol, type Results } from "@electric-sql/pglite";

const { parse, bind, describe, execute, sync } = protocol.serialize;
const { CommandCompleteMessage, DataRowMessage, ParameterDescriptionMessage, RowDescriptionMessage } =
  protocol.messages;

/** A statement that PostgreSQL has read once. */
interface KnownStatement {
  /** by which PostgreSQL keeps it and its plan; empty where it is planned for its values each time */
  name: string;
  text: string;
  parameterTypes: number[];
  fields: { name: string; dataTypeID: number }[];
}

/** So many are kept: a site has some forty, and what callers may choose freely must not add up. */
const mostKept = 200;

/**
 * Texts that are planned once, because their plan depends on no value: calls of functions, what surrounds them, and lite's look-ups
 * of a user, a session or an identity by its key, of which each call with a token makes several. PostgreSQL's general plan for a
 * list, made without knowing what is searched for, may read the whole table.
 */
const plannedOnce = new RegExp(
  [
    String.raw`^\s*select (?:\* from public\.\w+\(|embedded\.\w+\(|set_config\(|current_setting\(|pg_logical_)`,
    String.raw`^select \* from "auth"\."\w+" where "\w+" = \$1$`,
    "^(?:begin|commit|rollback|set local transaction_read_only = on)$",
  ].join("|"),
  "i",
);

/**
 * Sends each statement to PostgreSQL as one message, with whatever was put off before it. PGlite's own `query` sends six, each of
 * which runs PostgreSQL's main loop and its own input and output in JavaScript, and has every statement read and planned anew:
 * that takes longer than most statements do. Whoever calls has the session for themselves (the backend's mutex): PGlite's
 * `transaction` knows nothing of these.
 */
export class Statements {
  readonly #database: PGlite;
  /** by the role that runs it, because the right to a schema is looked at when a statement is read, and its text */
  readonly #known = new Map<string, KnownStatement>();
  readonly #putOff: { text: string; sent: Uint8Array[] }[] = [];
  #names = 0;

  constructor(database: PGlite) {
    this.#database = database;
  }

  /**
   * Runs a statement, as PGlite's `query` does.
   * @param role that is in force once what was put off has run; empty: the owner of everything
   * @throws PostgreSQL's error, also of a statement that was put off: this one has not run then
   */
  run<T>(text: string, values: unknown[] = [], role = ""): Promise<Results<T>> {
    return this.#database.runExclusive(async () => {
      const statement = this.#known.get(keyOf(text, role)) ?? (await this.#read(text, role));
      const before = this.#putOff.splice(0);
      const own = statement.name === "" ? [parse({ text, types: statement.parameterTypes })] : [];
      const answers = await this.#send([
        ...before.flatMap(({ sent }) => sent),
        ...own,
        ...this.#call(statement, values),
      ]);
      return this.#resultsOf<T>(statement, answers, before.length);
    });
  }

  /** Has a statement run with the next one, ahead of it; what it answers is dropped. It is one of those that are planned once. */
  async putOff(text: string, values: unknown[] = []): Promise<void> {
    const statement =
      this.#known.get(keyOf(text, "")) ?? (await this.#database.runExclusive(() => this.#read(text, "")));
    this.#putOff.push({ text, sent: this.#call(statement, values) });
  }

  /** Drops what was put off: it never runs. @returns the texts */
  dropPutOff(): string[] {
    return this.#putOff.splice(0).map(({ text }) => text);
  }

  /** Has every statement read anew: tables or functions are others than before. */
  async forget(): Promise<void> {
    this.#known.clear();
    await this.#database.runExclusive(() => this.#send([protocol.serialize.query("deallocate all")]));
  }

  /** Has PostgreSQL read a statement, behind what was put off, so under the role that runs it. */
  async #read(text: string, role: string): Promise<KnownStatement> {
    // A name is never given again: of a statement that failed nobody knows whether it is there.
    const isKept = this.#known.size < mostKept;
    const name = isKept && plannedOnce.test(text) ? `s${(this.#names += 1)}` : "";
    const before = this.#putOff.splice(0).flatMap(({ sent }) => sent);
    const statement: KnownStatement = { name, text, parameterTypes: [], fields: [] };
    for (const answer of await this.#send([...before, parse({ name, text }), describe({ type: "S", name })])) {
      if (answer instanceof ParameterDescriptionMessage) statement.parameterTypes = answer.dataTypeIDs;
      if (answer instanceof RowDescriptionMessage) statement.fields = answer.fields;
    }
    if (isKept) this.#known.set(keyOf(text, role), statement);
    return statement;
  }

  #call({ name, parameterTypes }: KnownStatement, values: unknown[]): Uint8Array[] {
    const written = values.map((value, place) => {
      if (value === null || value === undefined) return null;
      const serialize = this.#database.serializers[parameterTypes[place] ?? 0];
      return serialize ? serialize(value) : String(value);
    });
    return [bind({ statement: name, values: written }), execute({})];
  }

  /** @param skipped how many statements answered before it */
  #resultsOf<T>({ fields }: KnownStatement, answers: Answers, skipped: number): Results<T> {
    const { parsers } = this.#database;
    const rows: T[] = [];
    let affectedRows = 0;
    let ended = 0;
    for (const answer of answers) {
      if (answer instanceof CommandCompleteMessage) {
        ended += 1;
        affectedRows = Number(/^(?:INSERT \d+|UPDATE|DELETE|MERGE) (\d+)$/.exec(answer.text)?.[1] ?? 0);
      } else if (ended === skipped && answer instanceof DataRowMessage) {
        const values = answer.fields.map((text, place) => {
          const { name, dataTypeID } = fields[place] ?? { name: "", dataTypeID: 0 };
          return [name, text === null ? null : (parsers[dataTypeID]?.(text) ?? text)];
        });
        rows.push(Object.fromEntries(values) as T);
      }
    }
    return { rows, fields, affectedRows };
  }

  #send(messages: Uint8Array[]): Promise<Answers> {
    return this.#database.execProtocolStream(Buffer.concat([...messages, sync()]), { syncToFs: false });
  }
}

type Answers = Awaited<ReturnType<PGlite["execProtocolStream"]>>;

const keyOf = (text: string, role: string) => `${role} ${text}`;
