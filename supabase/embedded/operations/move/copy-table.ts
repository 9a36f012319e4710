import type { PGlite } from "@electric-sql/pglite";
import type { ProductTable } from "./product-tables.ts";
import type { HostedDatabase } from "../hosted-database.ts";

const batchSize = 500;

/**
 * Copies all rows of a table, a batch at a time, as the JSON text that PostgreSQL itself makes of them: nothing is
 * read as a number or a date on the way.
 */
export async function copyTable(
  source: PGlite,
  target: HostedDatabase,
  { name, columns }: ProductTable,
): Promise<void> {
  const list = columns.join();
  // What was stored by earlier rules stays as it is (migration "email_addresses").
  await target.run("select set_config('site.copies_rows', 'on', true)", []);
  await source.transaction(async (transaction) => {
    await transaction.query(`declare moved no scroll cursor for select to_jsonb(t)::text as row from only ${name} t`);
    for (;;) {
      const { rows } = await transaction.query<{ row: string }>(`fetch ${batchSize} from moved`);
      if (rows.length === 0) return;
      await target.run(
        `insert into ${name} (${list}) overriding system value
         select ${list} from jsonb_populate_recordset(null::${name}, $1::jsonb)`,
        [`[${rows.map(({ row }) => row).join()}]`],
      );
    }
  });
}
