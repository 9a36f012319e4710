import { TallLink } from "~/ui/content/tall-link";
import { secondFactorPaths } from "~/lib/pages/second-factor-paths";

/** Advises an admin to set up a second factor. They can dismiss it. */
export function SecondFactorAdvice() {
  return (
    <section
      aria-label="Advice"
      className="flex flex-wrap items-center gap-x-6 rounded-lg border border-(--line) bg-(--raised) px-4"
    >
      <p className="py-2">Use a code from your phone when you sign in, so that a stolen password is not enough.</p>
      <form method="post" action={secondFactorPaths.own} className="flex flex-wrap items-center gap-6">
        <TallLink href={secondFactorPaths.own}>Set it up</TallLink>{" "}
        <button name="intent" value="waive" className="link-button">
          Not now
        </button>
      </form>
    </section>
  );
}
