import type { ReactNode } from "react";
import { adminRequestsPage } from "~/content/account/admin-requests";
import type { PossibleActions } from "./request-actions";

/** What was sent and came back, so that no word of it is lost. */
export interface FailedChange {
  intent: string;
  words: string;
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

const words = adminRequestsPage.actions;

/** Each is a plain form behind a summary, so that nothing is done by a slip and everything works without scripts. */
export function RequestActionForms({ action, possible, erasure, failed }: RequestActionFormsProps) {
  const withWords = (["note", "extend", "complete", "refuse", "restrict", "lift"] as const).filter(
    (intent) => possible[intent],
  );
  return (
    <section aria-labelledby="actions" className="grid gap-3">
      <h3 id="actions" className="text-xl">
        {words.title}
      </h3>
      {possible.takeUp ? (
        <form method="post" action={action}>
          <button name="intent" value="takeUp" className="button">
            {words.takeUp.button}
          </button>
        </form>
      ) : null}
      {possible.package ? (
        <Action title={words.package.title} hint={words.package.hint}>
          <form method="post" action={`${action}/package`} className="flex flex-wrap gap-3">
            <button name="format" value="json" className="button button-quiet">
              {words.package.json}
            </button>
            <button name="format" value="html" className="button button-quiet">
              {words.package.html}
            </button>
          </form>
        </Action>
      ) : null}
      {withWords.map((intent) => (
        <Action key={intent} title={words[intent].title} hint={words[intent].hint} isOpen={failed?.intent === intent}>
          <WordsForm action={action} intent={intent} failed={failed?.intent === intent ? failed : null} />
        </Action>
      ))}
      {possible.resend ? (
        <Action title={words.resend.title} hint={words.resend.hint}>
          <form method="post" action={action}>
            <button name="intent" value="resend" className="button">
              {words.resend.button}
            </button>
          </form>
        </Action>
      ) : null}
      {possible.erase && erasure ? (
        <Action title={words.erase.title} hint={words.erase.hint}>
          <p>
            {`${words.erase.preview} ${Object.entries(words.erase.kinds)
              .map(([kind, name]) => `${erasure[kind] ?? 0} ${name}`)
              .join(", ")}.`}
          </p>
          {erasure.mentions ? <p>{words.erase.mentions(erasure.mentions)}</p> : null}
          <form method="post" action={action} className="mt-3">
            <button name="intent" value="erase" className="button">
              {words.erase.button}
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

interface WordsFormProps {
  action: string;
  intent: "note" | "extend" | "complete" | "refuse" | "restrict" | "lift";
  failed: FailedChange | null;
}

function WordsForm({ action, intent, failed }: WordsFormProps) {
  const id = `words-${intent}`;
  return (
    <form method="post" action={action} className="grid max-w-2xl gap-3">
      <label htmlFor={id} className="font-semibold">
        {words[intent].label}
      </label>
      {failed ? (
        <p id={`${id}-error`} className="font-semibold text-(--danger)">
          {failed.error}
        </p>
      ) : null}
      <textarea
        id={id}
        name="words"
        rows={4}
        maxLength={2_000}
        required
        defaultValue={failed?.words ?? ""}
        aria-invalid={failed ? true : undefined}
        aria-describedby={failed ? `${id}-error` : undefined}
        className="control"
      />
      <p>
        <button name="intent" value={intent} className="button">
          {words[intent].button}
        </button>
      </p>
    </form>
  );
}
