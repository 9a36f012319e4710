import { TallLink } from "~/ui/content/tall-link";
import { unsentReasons } from "~/content/messages";
import type { KeptPost } from "~/server/forms/admin-refusal.server";
import { TextAreaField, TextField } from "~/ui/forms/field";
import { Main } from "~/ui/frame/main";

/**
 * Explains why a post failed whose page cannot be shown, and returns its texts: in a form that can be sent again, even
 * after signing in in another tab, or to copy, if sending it again cannot help.
 */
export function KeptPostPage({ title, failure, action, texts, fields, list }: KeptPost) {
  const needsSignIn = failure === unsentReasons.session;
  const controls = texts.map(({ name, label, rows, value }) => {
    const id = `kept-${name}`;
    if (fields === null)
      return (
        <TextAreaField key={id} id={id} label={`${label} (not saved)`} rows={rows} readOnly defaultValue={value} />
      );
    const control = { id, name, label, defaultValue: value };
    return rows === undefined ? (
      <TextField key={id} {...control} />
    ) : (
      <TextAreaField key={id} {...control} rows={rows} />
    );
  });
  return (
    <Main>
      <div className="wrap py-8 *:max-w-2xl">
        <h1 className="mb-4 text-(length:--text-title)">{title}</h1>
        <p role="alert" className="mb-6 text-(--danger)">
          {failure}
        </p>
        {needsSignIn ? (
          <p className="mb-6">
            <a href="/login" target="_blank" rel="noopener" className="button">
              Sign in in a new tab
            </a>
          </p>
        ) : null}
        {fields === null || texts.length === 0 ? (
          controls
        ) : (
          // Multipart: URL encoding takes nine bytes for a Chinese character.
          <form method="post" action={action} encType="multipart/form-data" noValidate className="grid gap-5">
            {fields.map(({ name, value }, place) => (
              <input key={`${place}-${name}`} type="hidden" name={name} value={value} />
            ))}
            {controls}
            <p>
              <button className="button">Try again</button>
            </p>
          </form>
        )}
        {needsSignIn || !list ? null : (
          <p className="mt-6">
            <TallLink href={list.path}>{list.label}</TallLink>
          </p>
        )}
      </div>
    </Main>
  );
}
