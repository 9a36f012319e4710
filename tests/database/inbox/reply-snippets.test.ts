import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { useAdmin } from "../support/admin.ts";
import { eachBackend } from "../support/backends.ts";

eachBackend("snippets", (backend) => {
  const admin = useAdmin(backend);

  const list = async () => (await admin.rpc("list_reply_snippets").throwOnError()).data;
  const save = (name: unknown, body: unknown, snippet_id: string | null = null) =>
    admin.rpc("save_reply_snippet", { snippet_id, name, body });

  it("adds, changes and deletes snippets with unique names", async () => {
    await save("thanks", "Thank you, {name}.").throwOnError();
    await save("Hours", "Monday to Friday.").throwOnError();
    const [hours, thanks] = await list();
    expect([hours.name, thanks.name]).toEqual(["Hours", "thanks"]);
    expect((await save("thanks", "Again")).error?.code).toBe("23505");
    expect((await save("thanks", "Again", hours.id)).error?.code).toBe("23505");
    await save("Hours", "Every day.", hours.id).throwOnError();
    expect((await list())[0]).toEqual({ id: hours.id, name: "Hours", body: "Every day.", version: 1 });
    await admin.rpc("delete_reply_snippet", { snippet_id: thanks.id }).throwOnError();
    expect(await list()).toHaveLength(1);
    for (const gone of [thanks.id, randomUUID()]) {
      expect(await admin.call("delete_reply_snippet", { snippet_id: gone })).toBe("P0002");
      expect((await save("New", "Words", gone)).error?.code).toBe("P0002");
    }
    for (const [name, body] of [
      ["", "Words"],
      ["Two\nlines", "Words"],
      ["n".repeat(81), "Words"],
      ["Empty", ""],
      ["Long", "x".repeat(5_001)],
    ])
      expect((await save(name, body)).error?.code).toBe("23514");
  });
});
