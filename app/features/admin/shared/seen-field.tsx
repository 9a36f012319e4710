/** Says in a form what its page showed, so that nobody changes what a colleague has changed meanwhile. */
export function SeenField({ version }: { version: number | string }) {
  return <input type="hidden" name="seen" value={version} />;
}
