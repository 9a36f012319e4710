import type { FormMistake } from "./error-summary";

/** The parts of conform's metadata of a field that a control shows. */
export interface PostedField<Value = unknown> {
  id: string;
  name: string;
  /** the last post's, or the default */
  initialValue?: Value | undefined;
  errors?: string[] | undefined;
}

/** Returns the attributes of a field's control: its value and its mistake after a refused post. */
export function fillControl<Value>({ id, name, initialValue, errors }: PostedField<Value>) {
  return { id, name, defaultValue: initialValue, error: errors?.[0] };
}

/**
 * Lists the mistakes of a form, in the order of its fields. A mistake of the whole form comes first.
 * @param main field to which a mistake of the whole form leads
 */
export function listMistakes(
  fields: readonly PostedField[],
  form?: { errors?: string[] | undefined },
  main: PostedField | undefined = fields[0],
): FormMistake[] {
  const ofForm = main === undefined ? [] : [{ id: main.id, errors: form?.errors }];
  return [...ofForm, ...fields].flatMap(({ id, errors }) => (errors?.[0] ? [{ controlId: id, text: errors[0] }] : []));
}
