import type { FormEventHandler, ReactNode } from "react";
import { type ConsentWords, choiceWords, consentWords } from "~/content/privacy/consent";
import type { ConsentView } from "../state/consent-view.server";

/** Props of {@link PreferencesForm}. */
export interface PreferencesFormProps {
  consent: ConsentView;
  /** path and query of the page that shows it */
  page: string;
  /** address of the page with the preferences open in it */
  address: string;
  titleId: string;
  /** why the decision was not saved */
  failure?: string | null;
  isSending?: boolean;
  onSubmit?: FormEventHandler<HTMLFormElement>;
  /** the control that changes nothing */
  cancel: ReactNode;
}

/** The switches, the present decision, and the buttons (REQUIREMENTS 4.3). */
export function PreferencesForm({
  consent: { choice, analyticsInUse, texts },
  page,
  address,
  titleId,
  failure = null,
  isSending = false,
  onSubmit,
  cancel,
}: PreferencesFormProps) {
  const { dialog } = consentWords(analyticsInUse);
  return (
    <form method="post" action="/consent" autoComplete="off" onSubmit={onSubmit}>
      <input type="hidden" name="page" value={page} />
      <input type="hidden" name="source" value="dialog" />
      <input type="hidden" name="text" value={texts.dialog} />
      <h2 id={titleId} className="text-2xl">
        {dialog.title}
      </h2>
      <p className="mt-3">{dialog.lead}</p>
      <p className="mt-3 text-(--muted)">
        {describeChoice(choice, dialog)}
        {choice?.made === null ? (
          <>
            {" "}
            <a href={address}>{choiceWords.details}</a>
          </>
        ) : null}
      </p>
      <div className="mt-5 border-b border-(--line)">
        <Switch name="functional" words={dialog.functional} isOn isFixed />
        <Switch name="analytics" words={dialog.analytics} isOn={choice?.analytics ?? false} />
        <Switch name="marketing" words={dialog.marketing} isOn={choice?.marketing ?? false} />
      </div>
      <p className="mt-3 flex flex-wrap gap-x-6">
        {dialog.links.flatMap((link) => [
          <a key={link.path} href={link.path} className="inline-flex min-h-11 items-center">
            {link.label}
          </a>,
          " ",
        ])}
      </p>
      {failure === null ? null : (
        <p role="alert" className="mt-3 font-semibold">
          {failure}
        </p>
      )}
      <p className="dialog-actions">
        {cancel}{" "}
        <span>
          {/* The first submit button, so that Enter saves. */}
          <button name="choice" value="save" className="button" disabled={isSending}>
            {dialog.save}
          </button>{" "}
          <button name="choice" value="reject" className="button" disabled={isSending}>
            {dialog.reject}
          </button>
        </span>
      </p>
    </form>
  );
}

interface SwitchProps {
  name: "functional" | "analytics" | "marketing";
  words: { label: string; text: string };
  isOn: boolean;
  isFixed?: boolean;
}

/** A native checkbox announces its own state, so `aria-checked` must not be added (ARIA in HTML). */
const nativeSwitch = { type: "checkbox", role: "switch" } as const;

function Switch({ name, words, isOn, isFixed = false }: SwitchProps) {
  const id = `allow-${name}`;
  return (
    <div className="switch-row">
      <label htmlFor={id} className="font-semibold">
        {words.label}
      </label>
      <input
        {...nativeSwitch}
        id={id}
        name={name}
        className="switch"
        defaultChecked={isOn}
        disabled={isFixed}
        aria-describedby={`${id}-text`}
      />
      <p id={`${id}-text`} className="text-(--muted)">
        {words.text}
      </p>
    </div>
  );
}

function describeChoice(choice: ConsentView["choice"], { analytics, marketing }: ConsentWords["dialog"]): string {
  if (!choice) return choiceWords.none;
  const { bySignal, made } = choice;
  const words = bySignal ? choiceWords.signalled : choiceWords.made;
  const opening = made ? words.at(made.date, made.version) : words.present;
  return `${opening} ${describeKind(analytics.label, choice.analytics)}, ${describeKind(marketing.label, choice.marketing)}.`;
}

function describeKind(label: string, isAllowed: boolean): string {
  return `${label.toLowerCase()} ${isAllowed ? choiceWords.allowed : choiceWords.refused}`;
}
