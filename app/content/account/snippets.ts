/** Every word of the page of the texts that replies use again. */
export const snippetsPage = {
  title: "Saved Texts",
  lead: "Texts to insert into replies. Where a text says {name}, the sender’s name is filled in. Don’t keep data about anybody here.",
  none: "No texts are saved yet.",
  name: { label: "Name", hint: "Shown only to admins, in the list to choose from." },
  body: { label: "Text" },
  add: { title: "Add a text", submit: "Add" },
  save: "Save",
  delete: "Delete",
  /** @param name of the text */
  deleteLabel: (name: string) => `Delete the text “${name}”`,
  changed:
    "Somebody changed this text while the page was open, so nothing was saved. Their text stands above yours: press the button again to put yours in its place.",
  /** over what is stored, where what was typed was not saved */
  stored: "Stored now:",
  sameName: "Another text has this name. Choose another name",
};
