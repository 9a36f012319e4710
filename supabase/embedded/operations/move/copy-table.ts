import type { PGlite } from "@electric-sql/pglite";
import type { Query } from "../read-database.ts";
import type { ProductTable } from "./product-tables.ts";

const batchSize = 500;

/**
 * Copies all rows of a table in batches, as JSON text made by PostgreSQL, so that no number or date is parsed in
 * between.
 */
export async function copyTable(source: PGlite, target: Query, { name, columns }: ProductTable): Promise<void> {
  // Rows stored under earlier validation rules are copied unchanged (migration "email_addresses").
  await target("select set_config('site.copies_rows', 'on', true)");
  await source.transaction(async (transaction) => {
    await transaction.query(`declare moved no scroll cursor for select to_jsonb(t)::text as row from only ${name} t`);
    for (;;) {
      const { rows } = await transaction.query<{ row: string }>(`fetch ${batchSize} from moved`);
      if (rows.length === 0) return;
      await target(
        `insert into ${name} (${columns}) overriding system value
         select ${columns} from jsonb_populate_recordset(null::${name}, $1::jsonb)`,
        [`[${rows.map(({ row }) => row).join()}]`],
      );
    }
  });
}
