import { secondFactorPaths } from "./second-factor-paths";

/** Advises an admin to set up a second factor. They can dismiss it. */
export function SecondFactorAdvice() {
  return (
    <section className="rounded-lg border-2 border-(--accent) bg-(--raised) px-5 py-4">
      <h2 className="font-text text-base font-semibold tracking-normal text-(--accent)">Protect what visitors wrote</h2>
      <p>Use a code from your phone when you sign in, so that a stolen password is not enough.</p>
      <form method="post" action={secondFactorPaths.own} className="mt-2 flex flex-wrap items-center gap-6">
        <a href={secondFactorPaths.own}>Set it up</a>
        <button name="intent" value="waive" className="link-button">
          Not now
        </button>
      </form>
    </section>
  );
}
