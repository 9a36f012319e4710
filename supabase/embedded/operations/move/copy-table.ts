import type { PGlite } from "@electric-sql/pglite";
import type { ProductTable } from "./product-tables.ts";
import type { HostedDatabase } from "../hosted-database.ts";

const batchSize = 500;

/**
 * Copies all rows of a table in batches, as JSON text made by PostgreSQL, so that no number or date is parsed in
 * between.
 */
export async function copyTable(
  source: PGlite,
  target: HostedDatabase,
  { name, columns }: ProductTable,
): Promise<void> {
  const list = columns.join();
  // Rows stored under earlier validation rules are copied unchanged (migration "email_addresses").
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
