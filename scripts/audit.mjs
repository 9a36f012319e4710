// Queries npm for advisories about production's packages: `npm run audit`. Exits with 1 for an advisory that
// docs/accepted-advisories.yaml does not accept, or no longer accepts, and with 3 if the registry gave no result.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { z } from "zod";

const acceptedSchema = z.array(
  z.strictObject({ id: z.string(), package: z.string(), reason: z.string().min(20), until: z.iso.date() }),
);
const advisorySchema = z.object({ name: z.string(), url: z.string(), title: z.string(), range: z.string() });
/** `via` also contains names: packages through which an advisory reaches a dependent. */
const reportSchema = z.object({
  vulnerabilities: z.record(z.string(), z.object({ via: z.array(z.union([z.string(), advisorySchema])) })),
});

const [file = "docs/accepted-advisories.yaml"] = process.argv.slice(2);
const accepted = acceptedSchema.parse(parse(readFileSync(file, "utf8")) ?? []);
const today = new Date().toISOString().slice(0, 10);
const { stdout } = spawnSync("npm", ["audit", "--omit=dev", "--json"], { encoding: "utf8", maxBuffer: 64 << 20 });
const report = reportSchema.safeParse(stdout?.startsWith("{") ? JSON.parse(stdout) : null);
if (!report.success) {
  console.error("Not audited: the registry did not respond to npm audit. Try again, or use another registry.");
  process.exit(3);
}
const advisories = Object.values(report.data.vulnerabilities).flatMap(({ via }) =>
  via.filter((it) => typeof it !== "string"),
);
const open = advisories.filter(
  ({ name, url }) => !accepted.some((it) => it.package === name && url.endsWith(`/${it.id}`) && it.until >= today),
);
const expired = accepted.filter(({ until }) => until < today);
for (const { name, range, title, url } of open) console.error(`${name} ${range}: ${title} (${url})`);
for (const { id, package: name, until } of expired)
  console.error(`${id} of ${name} was accepted until ${until}: review it.`);
console.log(`${advisories.length} advisories, ${advisories.length - open.length} of them accepted.`);
process.exitCode = open.length + expired.length > 0 ? 1 : 0;
