/** Sends the version that the page showed, so that a form cannot overwrite a colleague's newer change. */
export function SeenField({ version }: { version: number | string }) {
  return <input type="hidden" name="seen" value={version} />;
}
