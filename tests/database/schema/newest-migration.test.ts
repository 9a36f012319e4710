import { readdir } from "node:fs/promises";
import { expect, it } from "vitest";
import { eachBackend } from "../support/backends.ts";

eachBackend("newest_migration", (backend) => {
  it("returns the newest recorded migration version to anonymous callers", async () => {
    const files = await readdir(new URL("../../../supabase/migrations", import.meta.url));
    const newest = files.toSorted().at(-1)?.slice(0, 14);
    expect(newest).toMatch(/^\d{14}$/);
    const response = await backend.client().rpc("newest_migration", {}, { get: true });
    expect(response).toMatchObject({ status: 200, data: newest });

    const record = "supabase_migrations.schema_migrations";
    await backend.exec(`insert into ${record} (version, name) values ('20991231000000', 'later'), ('init', 'none')`);
    const later = await backend.client().rpc("newest_migration", {}, { get: true });
    await backend.exec(`delete from ${record} where name in ('later', 'none')`);
    expect(later).toMatchObject({ status: 200, data: "20991231000000" });
  });
});
