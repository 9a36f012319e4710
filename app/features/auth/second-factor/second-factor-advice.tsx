import { secondFactorPages } from "~/content/account/second-factor";
import { secondFactorPaths } from "./second-factor-paths";

/** Advises an admin to set up a second factor, until it is there or they wave it off. */
export function SecondFactorAdvice() {
  const { title, text, link, waive } = secondFactorPages.advice;
  return (
    <section className="rounded-lg border-2 border-(--accent) bg-(--raised) px-5 py-4">
      <h2 className="font-text text-base font-semibold tracking-normal text-(--accent)">{title}</h2>
      <p>{text}</p>
      <form method="post" action={secondFactorPaths.own} className="mt-2 flex flex-wrap items-center gap-6">
        <a href={secondFactorPaths.own}>{link}</a>
        <button name="intent" value="waive" className="link-button">
          {waive}
        </button>
      </form>
    </section>
  );
}
