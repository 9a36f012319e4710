import { mkdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { insertMembers } from "../../support/network";
import { makeSiteFolder } from "../../support/site-folder";

const facts = `name: "The Okonjo, Hale, Brandt and Castellanos Institute of Healthcare Advisory, Inc."
address: 7 Harbor Street, Portland, OR 97201
`;

const words = `lead: Write us a line.
help: { company: { hint: Your clinic or your fund. } }
checkFirst: First check the box above.
`;

/** Makes a data folder with a long name of the firm, its address and words, and members whose texts are long. */
export async function makeOtherFirmFolder(): Promise<string> {
  const dataDir = await makeSiteFolder();
  await writeFile(join(dataDir, "facts.yaml"), facts);
  await mkdir(join(dataDir, "words"));
  await writeFile(join(dataDir, "words", "contact.yaml"), words);
  // A file as young as this one still waits.
  await utimes(join(dataDir, "words", "contact.yaml"), 1, 1);
  const database = await PGlite.create(join(dataDir, "pg"));
  const sql = async <Row>(query: string, parameters?: unknown[]) => (await database.query<Row>(query, parameters)).rows;
  await insertMembers(sql, [
    {
      name: `Ada-${"Maria-".repeat(15)}`,
      email: `${"long-address-".repeat(4)}${"x".repeat(10)}@${"d".repeat(9)}.example`,
      company: "Engines-and-more-".repeat(8),
      fields: ["ai", "devices"],
    },
    ...Array.from({ length: 39 }, (_, n) => ({ name: `Investor ${n}`, kind: n % 2 === 0 ? "fund" : "angel" })),
  ]);
  await database.close();
  return dataDir;
}
