import type { InputHTMLAttributes, ReactNode, TextareaHTMLAttributes } from "react";
import { Icon } from "../content/icon";
import { CharactersLeft } from "./characters-left";

/** What every control has around it. */
export interface FieldFrameProps {
  /** of the control */
  id: string;
  label: string;
  hint?: string;
  error?: string;
  /** most characters. Never a `maxlength`: that cuts what people paste, and says nothing */
  limit?: number;
}

/** A labelled one-line control. */
export type TextFieldProps = FieldFrameProps & Omit<InputHTMLAttributes<HTMLInputElement>, "maxLength">;

/** A {@link FieldFrame} around one line. */
export function TextField({ id, label, hint, error, limit, ...input }: TextFieldProps) {
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error} limit={limit}>
      <input dir="auto" {...input} {...described(id, hint, error)} id={id} className="control mt-2" />
    </FieldFrame>
  );
}

/** A labelled control for several lines. */
export type TextAreaFieldProps = FieldFrameProps & Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, "maxLength">;

/** Like TextField, for several lines. */
export function TextAreaField({ id, label, hint, error, limit, ...area }: TextAreaFieldProps) {
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error} limit={limit}>
      <textarea dir="auto" {...area} {...described(id, hint, error)} id={id} className="control mt-2" />
    </FieldFrame>
  );
}

/** The line that says what is wrong with a control. */
export function FieldError({ id, text }: { id: string; text: string }) {
  return (
    <p id={`${id}-error`} className="mt-1 flex items-start gap-2 font-semibold text-(--danger)">
      <span className="mt-1">
        <Icon name="error" />
      </span>
      <span>{text}</span>
    </p>
  );
}

/** The attributes that tie a control to its hint and error. */
export function described(id: string, hint: string | undefined, error: string | undefined) {
  const parts = [hint ? `${id}-hint` : null, error ? `${id}-error` : null].filter(Boolean);
  return {
    "aria-describedby": parts.length > 0 ? parts.join(" ") : undefined,
    "aria-invalid": error ? (true as const) : undefined,
  };
}

/** Label above, hint under the label, error with an icon and words between hint and control, and below it what is left of a limit. */
export function FieldFrame({ id, label, hint, error, limit, children }: FieldFrameProps & { children: ReactNode }) {
  return (
    <div>
      <label htmlFor={id} className="font-semibold">
        {label}
      </label>
      {hint ? (
        <p id={`${id}-hint`} className="text-(--muted)">
          {hint}
        </p>
      ) : null}
      {error ? <FieldError id={id} text={error} /> : null}
      {children}
      {limit === undefined ? null : <CharactersLeft controlId={id} limit={limit} />}
    </div>
  );
}
