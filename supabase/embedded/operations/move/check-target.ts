import { listMigrations, type Query } from "../read-database.ts";
import { OperationRefused } from "../operation-refused.ts";
import { listProductTables, type ProductTable } from "./product-tables.ts";

/**
 * Checks that the target has the same tables from the same migrations and no rows in them, and locks out other writers
 * until the transaction ends.
 * @returns the tables in an order that satisfies foreign keys
 * @throws OperationRefused naming the obstacle
 */
export async function checkTarget(source: Query, target: Query): Promise<ProductTable[]> {
  compareMigrations((await listMigrations(source)) ?? [], await listMigrations(target));
  const tables = await listProductTables(source);
  const shapes = new Map((await listProductTables(target)).map(({ name, shape }) => [name, shape]));
  const different = tables.filter(({ name, shape }) => shapes.get(name) !== shape);
  if (different.length > 0) throw new OperationRefused(`The target has different columns in ${names(different)}.`);
  await target(`lock table ${names(tables)} in share row exclusive mode`);
  // An operator may have written the site's facts there already. The source has them, too.
  await target("delete from private.site_facts");
  const used: ProductTable[] = [];
  for (const table of tables) if (await hasRows(target, table)) used.push(table);
  if (used.length > 0) throw new OperationRefused(`The target is not empty: there are rows in ${names(used)}.`);
  return tables;
}

/** Returns true if the table has at least one row. */
export async function hasRows(query: Query, { name }: ProductTable): Promise<boolean> {
  return (await query(`select 1 as one from only ${name} limit 1`)).length > 0;
}

function compareMigrations(expected: string[], found: string[] | null): void {
  if (!found) throw new OperationRefused("The target has no record of migrations. Run `supabase db push` first.");
  const missing = expected.filter((version) => !found.includes(version));
  const unknown = found.filter((version) => !expected.includes(version));
  if (missing.length + unknown.length === 0) return;
  throw new OperationRefused(
    [
      "The target does not have the same migrations.",
      ...missing.map((version) => `- ${version} is missing there`),
      ...unknown.map((version) => `- ${version} is unknown here`),
      "Start the site once on the data folder and run `supabase db push`, both with this version.",
    ].join("\n"),
  );
}

function names(tables: ProductTable[]): string {
  return tables.map(({ name }) => name).join(", ");
}
