import { networkMailPage as copy } from "~/content/pages/network-mail";
import { linkAddress } from "~/lib/pages/link-address";
import { LinkPage } from "~/ui/content/link-page";
import { LinkButton } from "~/ui/forms/link-button";

/** Props of {@link MailPage}. */
export interface MailPageProps {
  token: string;
  /** days in words; null while mail goes on */
  stopped: { on: string; deletedOn: string } | null;
}

/** The page that the link in a letter opens: stop all mail, or get the link to the member's page. */
export function MailPage({ token, stopped }: MailPageProps) {
  const button = { action: linkAddress("/network/mail", token), token };
  return (
    <LinkPage title={copy.title} lead={copy.lead}>
      <section className="mt-10">
        <h2 className="text-2xl">{stopped === null ? copy.stop.title : copy.stopped.title}</h2>
        <p className="mt-2 mb-6">{stopped === null ? copy.stop.text : copy.stopped.text(stopped)}</p>
        {stopped === null ? <LinkButton {...button} intent="stop" label={copy.stop.button} /> : null}
      </section>
      <section className="mt-10">
        <h2 className="text-2xl">{copy.link.title}</h2>
        <p className="mt-2 mb-6">{copy.link.text}</p>
        <LinkButton {...button} intent="link" label={copy.link.button} isQuiet={stopped === null} />
      </section>
    </LinkPage>
  );
}
