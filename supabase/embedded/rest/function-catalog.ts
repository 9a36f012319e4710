import type { PGlite } from "@electric-sql/pglite";

/** A function of the schema `public`, as far as a call needs to know it. */
export interface SqlFunction {
  parameters: { name: string; type: string; isOptional: boolean }[];
  /** returns any number of rows or values */
  isSet: boolean;
  /** returns rows with columns, not values */
  isRow: boolean;
  isVoid: boolean;
  /** may change data; others run in a transaction that cannot */
  isVolatile: boolean;
}

/** Remembers the functions of the schema `public` by their names, because reading the catalog costs more than a call. */
export class FunctionCatalog {
  readonly #database: Pick<PGlite, "query">;
  readonly #functions = new Map<string, SqlFunction[]>();

  constructor(database: Pick<PGlite, "query">) {
    this.#database = database;
  }

  /** Forgets all functions, after a statement that may have changed one. */
  forget(): void {
    this.#functions.clear();
  }

  /**
   * Finds the function with this name that takes exactly these arguments.
   * @returns null when there is none
   */
  async find(name: string, given: string[]): Promise<SqlFunction | null> {
    let known = this.#functions.get(name);
    if (!known) {
      known = (await this.#database.query<SqlFunction>(signatures, [name])).rows;
      if (known.length > 0) this.#functions.set(name, known);
    }
    return known.find(({ parameters }) => accepts(parameters, given)) ?? null;
  }
}

function accepts(parameters: SqlFunction["parameters"], given: string[]): boolean {
  const names = new Set(parameters.map(({ name }) => name));
  const isComplete = parameters.every(({ name, isOptional }) => isOptional || given.includes(name));
  return isComplete && given.every((name) => names.has(name));
}

const signatures = `
  select p.proretset as "isSet", p.provolatile = 'v' as "isVolatile",
    p.prorettype = 'void'::regtype and not p.proretset as "isVoid",
    result.typtype = 'c' or coalesce(p.proargmodes && '{t,o,b}', false) as "isRow",
    coalesce((
      select jsonb_agg(
        jsonb_build_object('name', name, 'type', format_type(type, -1), 'isOptional', place > pronargs - pronargdefaults)
        order by place)
      from (
        select name, type, row_number() over (order by place) as place
        from unnest(
          coalesce(p.proargnames, array_fill(''::text, array[p.pronargs])),
          coalesce(p.proallargtypes, p.proargtypes::oid[]),
          coalesce(p.proargmodes, array_fill('i'::"char", array[p.pronargs]))
        ) with ordinality as argument (name, type, mode, place)
        where mode in ('i', 'b')
      ) as taken
    ), '[]') as parameters
  from pg_proc as p join pg_type as result on result.oid = p.prorettype
  where p.pronamespace = 'public'::regnamespace and p.proname = $1 and p.prokind = 'f'`;
