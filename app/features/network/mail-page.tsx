import { networkMailPage as copy } from "~/content/pages/network-mail";
import { LinkPage } from "~/ui/content/link-page";
import { letterAddress } from "./network-address";

/** Props of {@link MailPage}. */
export interface MailPageProps {
  token: string;
  /** days in words; null while mail goes on */
  stopped: { on: string; deletedOn: string } | null;
}

/** The page that the link in a letter opens: stop all mail, or get the link to the member's page. */
export function MailPage({ token, stopped }: MailPageProps) {
  return (
    <LinkPage title={copy.title} lead={copy.lead}>
      <section className="mt-10">
        <h2 className="text-2xl">{stopped === null ? copy.stop.title : copy.stopped.title}</h2>
        <p className="mt-2 mb-6">{stopped === null ? copy.stop.text : copy.stopped.text(stopped)}</p>
        {stopped === null ? <MailButton token={token} intent="stop" label={copy.stop.button} /> : null}
      </section>
      <section className="mt-10">
        <h2 className="text-2xl">{copy.link.title}</h2>
        <p className="mt-2 mb-6">{copy.link.text}</p>
        <MailButton token={token} intent="link" label={copy.link.button} isQuiet={stopped === null} />
      </section>
    </LinkPage>
  );
}

function MailButton({
  token,
  intent,
  label,
  isQuiet = false,
}: Record<"token" | "intent" | "label", string> & { isQuiet?: boolean }) {
  return (
    <form method="post" action={letterAddress(token)}>
      <input type="hidden" name="token" value={token} />
      <button name="intent" value={intent} className={isQuiet ? "button button-quiet" : "button"}>
        {label}
      </button>
    </form>
  );
}
