import { Form, useNavigation } from "@remix-run/react";
import type { ReactNode } from "react";

/** Target and content of a form in a list. */
export interface ListFormProps {
  action: string;
  className?: string;
  children: ReactNode;
}

/** A form in a list. With scripts, the list stays visible during the post, and a second press is ignored. */
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
