import type { ReactNode } from "react";

/** Props of {@link PostButton}. */
export interface PostButtonProps {
  action: string;
  intent: string;
  /** hidden fields, in order */
  fields?: Readonly<Record<string, string | number>>;
  label: string;
  /** accessible name, if the label alone says too little */
  name?: string;
  describedBy?: string;
  /** of the button */
  className?: string;
  /** of the form */
  formClassName?: string;
  /** shown above the button */
  children?: ReactNode;
}

/** A form that is only a button, so that it works without scripts. */
export function PostButton(props: PostButtonProps) {
  const { action, intent, fields = {}, label, name, describedBy, formClassName, children } = props;
  return (
    <form method="post" action={action} className={formClassName}>
      {Object.entries(fields).map(([field, value]) => (
        <input key={field} type="hidden" name={field} value={value} />
      ))}
      {children}
      <button
        name="intent"
        value={intent}
        className={props.className ?? "button button-quiet"}
        aria-label={name}
        aria-describedby={describedBy}
      >
        {label}
      </button>
    </form>
  );
}
