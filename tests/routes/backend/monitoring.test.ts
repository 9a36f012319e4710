import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { findFreePort } from "../../support/free-port";
import { makeSiteFolder } from "../../support/site-folder";
import { startSite } from "../../support/site";
import { Visitor } from "../../support/visitor";

const alertsSchema = z.object({
  groups: z.array(
    z.object({
      rules: z.array(
        z.strictObject({
          alert: z.string(),
          expr: z.string(),
          for: z.string().optional(),
          labels: z.object({ severity: z.enum(["page", "ticket"]) }),
          annotations: z.object({ summary: z.string() }),
        }),
      ),
    }),
  ),
});
const dashboardSchema = z.object({
  panels: z.array(z.object({ id: z.number(), targets: z.array(z.object({ expr: z.string() })) })),
});

/** Reads all Prometheus queries of the operator's alerts and dashboard. */
async function readExpressions(): Promise<string[]> {
  const alerts = alertsSchema.parse(parse(await readFile("docs/monitoring/alerts.yaml", "utf8")));
  const dashboard = dashboardSchema.parse(JSON.parse(await readFile("docs/monitoring/dashboard.json", "utf8")));
  expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
  return [
    ...alerts.groups.flatMap(({ rules }) => rules.map(({ expr }) => expr)),
    ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ];
}

it("uses only existing metrics and labels in alerts and dashboard", async () => {
  const port = await findFreePort();
  const dataDir = await makeSiteFolder();
  await mkdir(join(dataDir, "backups"));
  const now = new Date().toISOString().replaceAll(/[:.]/g, "-");
  await writeFile(join(dataDir, "backups", `backup-${now}.tar.gz`), "");
  const site = await startSite({ METRICS_PORT: String(port), BACKUP_EVERY: "1d" }, { dataDir });
  try {
    await new Visitor(site.url).get("/about");
    const scrape = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    await expect.poll(scrape).toContain("site_http_requests_total{");
    const figures = await scrape();
    for (const expression of await readExpressions()) {
      const names = expression.match(/\b(?:site|process|nodejs)_[a-z_]+\b/g) ?? [];
      expect(names.length + Number(expression.startsWith("up{")), expression).toBeGreaterThan(0);
      // The age of a copy exists only on sites with copies.
      for (const name of names.filter((each) => each !== "site_backup_copy_age_seconds"))
        expect(figures, expression).toMatch(new RegExp(`^${name}[{ ]`, "m"));
      for (const [, label, value] of expression.matchAll(/(outcome)="([a-z]+)"/g))
        expect(figures, expression).toContain(`${label}="${value}"`);
    }
  } finally {
    await site.stop();
  }
});
