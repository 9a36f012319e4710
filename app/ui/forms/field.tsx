import type { InputHTMLAttributes, ReactNode, TextareaHTMLAttributes } from "react";
import { Icon } from "../content/icon";
import { CharactersLeft } from "./characters-left";

/** Props of {@link FieldFrame}: the parts around every control. */
export interface FieldFrameProps {
  /** id of the control */
  id: string;
  label: string;
  hint?: string;
  error?: string;
  /** maximum number of characters. Not a `maxlength`, which silently cuts pasted text */
  limit?: number;
}

/** Props of {@link TextField}. */
export type TextFieldProps = FieldFrameProps & Omit<InputHTMLAttributes<HTMLInputElement>, "maxLength">;

/** A labeled one-line control. */
export function TextField({ id, label, hint, error, limit, ...input }: TextFieldProps) {
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error} limit={limit}>
      <input dir="auto" {...input} {...described(id, hint, error)} id={id} className="control mt-2" />
    </FieldFrame>
  );
}

/** Props of {@link TextAreaField}. */
export type TextAreaFieldProps = FieldFrameProps & Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, "maxLength">;

/** A labeled control for several lines. */
export function TextAreaField({ id, label, hint, error, limit, ...area }: TextAreaFieldProps) {
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error} limit={limit}>
      <textarea dir="auto" {...area} {...described(id, hint, error)} id={id} className="control mt-2" />
    </FieldFrame>
  );
}

/** The error message of a control. */
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

/** Returns the attributes that link a control to its hint and error. */
export function described(id: string, hint: string | undefined, error: string | undefined) {
  const parts = [hint ? `${id}-hint` : null, error ? `${id}-error` : null].filter(Boolean);
  return {
    "aria-describedby": parts.length > 0 ? parts.join(" ") : undefined,
    "aria-invalid": error ? (true as const) : undefined,
  };
}

/**
 * The label above a control, the hint under the label, the error with an icon between hint and control, and the
 * remaining characters below.
 */
export function FieldFrame({ id, label, hint, error, limit, children }: FieldFrameProps & { children: ReactNode }) {
  return (
    <div>
      <label htmlFor={id} className="font-semibold">
        {label}
      </label>
      {hint ? (
        <p id={`${id}-hint`} className="wrap-anywhere text-(--muted)">
          {hint}
        </p>
      ) : null}
      {error ? <FieldError id={id} text={error} /> : null}
      {children}
      {limit === undefined ? null : <CharactersLeft controlId={id} limit={limit} />}
    </div>
  );
}
