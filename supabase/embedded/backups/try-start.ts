import { countOf } from "../../../app/lib/count-of.ts";
import { OperationRefused } from "../operations/operation-refused.ts";

/**
 * Starts this version on an unpacked backup, with its migrations, and counts the messages. Sends no mail.
 * @param dataDir temporary; the start changes it
 * @param file name of the backup in messages
 * @returns e.g. `starts, 1,204 messages, newest today 06:12 UTC`
 * @throws OperationRefused when it does not start
 */
export async function tryStart(dataDir: string, file: string): Promise<string> {
  const { startEmbeddedBackend } = await import("../embedded-backend.ts");
  const admin = { email: "verify-backup@localhost" };
  const options = { dataDir, siteUrl: "http://localhost", admin, functions: {}, log: () => {} };
  const backend = await startEmbeddedBackend(options).catch((error: unknown) => {
    throw new OperationRefused(`${file} is intact, but does not start with this version. ${(error as Error).message}`);
  });
  try {
    const [found] = await backend.sql<{ count: number; newest: string | null }>(
      "select count(*)::integer as count, max(created_at) as newest from public.contact_submissions",
    );
    const words = `starts, ${countOf(found?.count ?? 0, "message")}`;
    return found?.newest ? `${words}, newest ${describeTime(found.newest)}` : words;
  } finally {
    await backend.close();
  }
}

function describeTime(time: string): string {
  const [day = "", clock = ""] = new Date(time).toISOString().split("T");
  const isToday = day === new Date().toISOString().slice(0, 10);
  return `${isToday ? "today" : day} ${clock.slice(0, 5)} UTC`;
}
