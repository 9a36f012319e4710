import type { ChromeLink } from "./chrome-link";

/** A kind of cookie and how it stands with it. */
export interface CookieKind {
  label: string;
  state: string;
  text: string;
}

/** The words of the dialog. */
export interface PreferencesDialogProps {
  open: string;
  title: string;
  lead: string;
  kinds: readonly CookieKind[];
  links: readonly ChromeLink[];
  close: string;
}

const dialogId = "cookie-preferences";

/** The button and the dialog that it opens, modal by the platform alone: focus kept and given back, Esc closes. */
export function PreferencesDialog({ open, title, lead, kinds, links, close }: PreferencesDialogProps) {
  return (
    <>
      <p className="mt-6">
        <button type="button" className="button" command="show-modal" commandfor={dialogId} popovertarget={dialogId}>
          {open}
        </button>
      </p>
      <dialog id={dialogId} popover="auto" closedby="any" aria-labelledby={`${dialogId}-title`} className="dialog">
        <p id={`${dialogId}-title`} className="font-display text-2xl font-semibold">
          {title}
        </p>
        <p className="mt-3">{lead}</p>
        <dl className="mt-5 border-b border-(--line)">
          {kinds.map((kind) => (
            <div key={kind.label} className="border-t border-(--line) py-4">
              <dt className="flex flex-wrap justify-between gap-x-6 font-semibold">
                {kind.label} <span className="font-normal text-(--muted)">{kind.state}</span>
              </dt>
              <dd className="mt-1 text-(--muted)">{kind.text}</dd>
            </div>
          ))}
        </dl>
        <p className="mt-3 flex flex-wrap gap-x-6">
          {links.map((link) => (
            <a key={link.path} href={link.path} className="inline-flex min-h-11 items-center">
              {link.label}
            </a>
          ))}
        </p>
        <p className="mt-5">
          <button type="button" className="button" command="close" commandfor={dialogId} popovertarget={dialogId}>
            {close}
          </button>
        </p>
      </dialog>
    </>
  );
}
