import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { eachBackend } from "../support/backends.ts";

eachBackend("tombstones", (backend) => {
  it("salts the plain digest that a restore writes, and still matches the address", async () => {
    const plain = createHash("sha256").update("ada@example.com").digest("hex");
    const [{ kept } = { kept: "" }] = await backend.sql<{ kept: string }>(
      `insert into private.erasure_tombstones (reference, email_hash, counts, erased_by)
       values ('DR-GONE-2222', $1, '{}', gen_random_uuid()) returning email_hash as kept`,
      [plain],
    );
    expect(kept).toMatch(/^[0-9a-f]{96}$/);
    expect(kept).not.toContain(plain);
    const isOf = "select private.is_salted_digest_of($1, $2) as answer";
    expect(await backend.sql(isOf, [kept, plain])).toEqual([{ answer: true }]);
  });
});
