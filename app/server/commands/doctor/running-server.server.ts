import { requestStatus } from "#supabase/embedded/control";
import { isFolderHeld } from "#supabase/embedded/folder/lock";
import { type ServerStatus, serverStatusSchema } from "../../backend/embedded/read-status.server";
import type { Settings } from "../../config/settings.server";

/**
 * The process that holds the data folder, by its control socket. `none`: no process holds it, or a hosted project has the
 * data. `unknown`: one does, and does not describe itself, for the reason in `text`. `hidden`: this user cannot look.
 */
export type RunningServer =
  | { state: "none" }
  | { state: "up"; status: ServerStatus }
  | { state: "unknown" | "hidden"; text: string; remedy: string };

/** Asks the server that runs on the data folder for its state. */
export async function askRunningServer({
  backend,
  dataDir,
}: Pick<Settings, "backend" | "dataDir">): Promise<RunningServer> {
  if (backend.kind === "hosted") return { state: "none" };
  try {
    if (!(await isFolderHeld(dataDir))) return { state: "none" };
    const reply = await requestStatus(dataDir);
    if (reply === null) {
      const text = "It is starting or stopping, or another command works on the data folder.";
      return { state: "unknown", text, remedy: "Run this command again in a minute." };
    }
    const { data: status } = serverStatusSchema.safeParse(reply);
    if (status) return { state: "up", status };
    return { state: "unknown", text: "It is of another version than this program.", remedy: "Restart the server." };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return { state: "none" };
    if (code === "EACCES")
      return {
        state: "hidden",
        text: "This user cannot enter its data folder.",
        remedy: "Run this as the site's user.",
      };
    const remedy = "Look into its log. If it is of an earlier version, restart it.";
    return { state: "unknown", text: "It did not describe itself.", remedy };
  }
}
