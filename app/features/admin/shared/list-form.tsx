import { Form, useNavigation } from "@remix-run/react";
import type { ReactNode } from "react";

/** Target and content of a form in a list. */
export interface ListFormProps {
  action: string;
  className?: string;
  children: ReactNode;
}

/** A form of a list. Where scripts run, the list stays while it is sent, and a second press sends nothing. */
export function ListForm(props: ListFormProps) {
  const isSending = useNavigation().state === "submitting";
  return (
    <Form
      {...props}
      method="post"
      onSubmit={(event) => {
        if (isSending) event.preventDefault();
      }}
    />
  );
}
