/**
 * Name of the hidden field that only programs fill in. Neutral, because some programs leave out a field that calls itself a honeypot, and
 * none that browsers and password managers know a value for. Everything behind the form calls the field `honeypot`.
 */
export const trapFieldName = "topic";

/** Gives a posted form its `honeypot`, by whichever name it came: a page that was open before the name changed still posts the old one. */
export function nameTrap(form: FormData): void {
  const filled = [trapFieldName, "honeypot"].flatMap((name) => form.getAll(name)).find((value) => value !== "");
  form.delete(trapFieldName);
  form.set("honeypot", filled ?? "");
}
