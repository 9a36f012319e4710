import { statusPage } from "~/content/privacy/data-rights-links";

/** The form on the status page that emails the link to the data. */
export function PackageOffer({ token, until }: { token: string; until: string }) {
  const { title, text, button } = statusPage.package;
  return (
    <form method="post" action="/data-rights/status" className="mt-10">
      <h2 className="text-2xl">{title}</h2>
      <p className="mt-2">{text(until)}</p>
      <input type="hidden" name="token" value={token} />
      <p className="mt-5">
        <button name="intent" value="package" className="button">
          {button}
        </button>
      </p>
    </form>
  );
}
