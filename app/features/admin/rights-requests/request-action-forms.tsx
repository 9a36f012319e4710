import type { ReactNode } from "react";
import { adminRequestsPage } from "~/content/account/admin-requests";
import type { PossibleActions } from "./request-actions";

/** A rejected form, to be shown again with the admin's text. */
export interface FailedChange {
  intent: string;
  text: string;
  error: string;
}

/** The actions of one request. */
export interface RequestActionFormsProps {
  /** path of the request's page */
  action: string;
  possible: PossibleActions;
  /** what an erasure would delete, where it is possible */
  erasure: Record<string, number> | null;
  failed: FailedChange | null;
}

const copy = adminRequestsPage.actions;

/** Each is a plain form behind a summary, so that nothing is done by a slip and everything works without scripts. */
export function RequestActionForms({ action, possible, erasure, failed }: RequestActionFormsProps) {
  const withText = (["note", "extend", "complete", "refuse", "restrict", "lift"] as const).filter(
    (intent) => possible[intent],
  );
  return (
    <section aria-labelledby="actions" className="grid gap-3">
      <h3 id="actions" className="text-xl">
        {copy.title}
      </h3>
      {possible.startWork ? (
        <form method="post" action={action}>
          <button name="intent" value="startWork" className="button">
            {copy.startWork.button}
          </button>
        </form>
      ) : null}
      {possible.package ? (
        <Action title={copy.package.title} hint={copy.package.hint}>
          <form method="post" action={`${action}/package`} className="flex flex-wrap gap-3">
            <button name="format" value="json" className="button button-quiet">
              {copy.package.json}
            </button>
            <button name="format" value="html" className="button button-quiet">
              {copy.package.html}
            </button>
          </form>
        </Action>
      ) : null}
      {withText.map((intent) => (
        <Action key={intent} title={copy[intent].title} hint={copy[intent].hint} isOpen={failed?.intent === intent}>
          <TextForm action={action} intent={intent} failed={failed?.intent === intent ? failed : null} />
        </Action>
      ))}
      {possible.resend ? (
        <Action title={copy.resend.title} hint={copy.resend.hint}>
          <form method="post" action={action}>
            <button name="intent" value="resend" className="button">
              {copy.resend.button}
            </button>
          </form>
        </Action>
      ) : null}
      {possible.erase && erasure ? (
        <Action title={copy.erase.title} hint={copy.erase.hint}>
          <p>
            {`${copy.erase.preview} ${Object.entries(copy.erase.kinds)
              .map(([kind, name]) => `${erasure[kind] ?? 0} ${name}`)
              .join(", ")}.`}
          </p>
          {erasure.mentions ? <p>{copy.erase.mentions(erasure.mentions)}</p> : null}
          <form method="post" action={action} className="mt-3">
            <button name="intent" value="erase" className="button">
              {copy.erase.button}
            </button>
          </form>
        </Action>
      ) : null}
    </section>
  );
}

interface ActionProps {
  title: string;
  hint: string;
  isOpen?: boolean;
  children: ReactNode;
}

function Action({ title, hint, isOpen = false, children }: ActionProps) {
  return (
    <details open={isOpen} className="border-t border-(--line) pt-2">
      <summary className="summary-button">{title}</summary>
      <p className="mt-1 mb-3 text-(--muted)">{hint}</p>
      {children}
    </details>
  );
}

interface TextFormProps {
  action: string;
  intent: "note" | "extend" | "complete" | "refuse" | "restrict" | "lift";
  failed: FailedChange | null;
}

function TextForm({ action, intent, failed }: TextFormProps) {
  const id = `text-${intent}`;
  return (
    <form method="post" action={action} className="grid max-w-2xl gap-3">
      <label htmlFor={id} className="font-semibold">
        {copy[intent].label}
      </label>
      {failed ? (
        <p id={`${id}-error`} className="font-semibold text-(--danger)">
          {failed.error}
        </p>
      ) : null}
      <textarea
        id={id}
        name="text"
        rows={4}
        maxLength={2_000}
        required
        defaultValue={failed?.text ?? ""}
        aria-invalid={failed ? true : undefined}
        aria-describedby={failed ? `${id}-error` : undefined}
        className="control"
      />
      <p>
        <button name="intent" value={intent} className="button">
          {copy[intent].button}
        </button>
      </p>
    </form>
  );
}
