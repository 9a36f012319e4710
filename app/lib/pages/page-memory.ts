/** A control that people type into or choose with. */
type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Content of a control as a person left it. */
interface Entry {
  /** by which the same control is known in a document that was made anew */
  name: string;
  value: string;
  checked: boolean;
  caret: Caret | null;
}

type Caret = [start: number, end: number, direction: "forward" | "backward" | "none" | undefined];

/** How the page stood when React rendered it. */
export interface PageState {
  root: HTMLElement;
  focused: Element | null;
  openDetails: boolean[];
  dialogs: { id: string; isModal: boolean }[];
  scroll: [number, number];
}

/** Keeps what visitors do to a page before and while its scripts take over. */
export interface PageMemory {
  /** How the page stands. To be called while React renders: what it makes anew takes the page's place right afterwards. */
  look(): PageState;
  /** Puts everything back that the page has lost, and forgets the rest. To be called before anybody reads the controls. */
  putBack(state: PageState): void;
  /** Gives the focus back to a control that somebody is typing into; messages and mistakes take it when scripts begin. */
  putBackFocus(state: PageState): void;
}

const controls = "input:not([type=hidden], [type=file]), textarea, select";

/**
 * Remembers a page. Where React finds another document than the server sent, because an extension or a translator has changed it, it
 * makes a new one, and all that stood in the old one would be gone. It also sets each text area to the text that the server sent.
 */
export function rememberPage(): PageMemory {
  const entries = new Map<Control, Entry>();
  for (const [name, control] of nameControls()) entries.set(control, { name, ...read(control) });

  function note({ target }: Event) {
    const entry = entries.get(target as Control);
    if (entry) Object.assign(entry, read(target as Control));
  }
  function noteCaret() {
    const entry = entries.get(document.activeElement as Control);
    const active = document.activeElement as Control;
    // Any other value was not typed, and says nothing of where somebody is.
    if (entry && active.value === entry.value) entry.caret = readCaret(active);
  }
  const listeners = [
    ["input", note],
    ["change", note],
    ["selectionchange", noteCaret],
  ] as const;
  for (const [type, listener] of listeners) document.addEventListener(type, listener, true);

  const findNow = (element: Element): HTMLElement | null => {
    if (element.isConnected) return element as HTMLElement;
    const entry = entries.get(element as Control);
    if (entry) return nameControls().get(entry.name) ?? null;
    const alike = (other: Element) => other.id === element.id && other.textContent === element.textContent;
    return [...document.querySelectorAll<HTMLElement>(element.localName)].find(alike) ?? null;
  };

  function focus({ focused }: PageState) {
    const element = focused && findNow(focused);
    if (!element || element === document.body) return;
    if (element !== document.activeElement) element.focus({ preventScroll: true });
    const caret = entries.get(focused as Control)?.caret;
    if (caret && readCaret(element as Control)?.join() !== caret.join())
      (element as HTMLInputElement).setSelectionRange(...caret);
  }

  return {
    look: () => ({
      root: document.documentElement,
      focused: document.activeElement,
      openDetails: [...document.querySelectorAll("details")].map(({ open }) => open),
      dialogs: [...document.querySelectorAll("dialog[id]:is([open], :popover-open)")].map((dialog) => ({
        id: dialog.id,
        isModal: dialog.matches(":modal"),
      })),
      scroll: [scrollX, scrollY],
    }),
    putBack(state) {
      for (const [type, listener] of listeners) document.removeEventListener(type, listener, true);
      const now = nameControls();
      for (const [control, entry] of entries) write(control.isConnected ? control : now.get(entry.name), entry);
      if (!state.root.isConnected) reopen(state);
      focus(state);
    },
    putBackFocus(state) {
      if (entries.has(state.focused as Control) && !document.activeElement?.matches(controls)) focus(state);
    },
  };
}

/** Every control that has a name, by its form, its name and its kind, and by its place among those that share these. */
function nameControls(): Map<string, Control> {
  const named = new Map<string, Control>();
  for (const control of document.querySelectorAll<Control>(controls)) {
    if (control.name === "") continue;
    const { form, name, type } = control;
    const choice = isToggle(control) ? control.value : "";
    const parts = [form?.id, form?.getAttribute("action"), name, type, choice];
    for (let place = 0; ; place += 1) {
      const key = [...parts, place].join("\n");
      if (named.has(key)) continue;
      named.set(key, control);
      break;
    }
  }
  return named;
}

const isToggle = (control: Control): control is HTMLInputElement => /^(?:checkbox|radio)$/.test(control.type);

function read(control: Control): Omit<Entry, "name"> {
  return { value: control.value, checked: isToggle(control) && control.checked, caret: readCaret(control) };
}

/** Null where the kind of control has none to ask for, as an email address. */
function readCaret(control: Control): Caret | null {
  if (!("selectionStart" in control) || control.selectionStart === null) return null;
  return [
    control.selectionStart,
    control.selectionEnd ?? control.selectionStart,
    control.selectionDirection ?? undefined,
  ];
}

/** As a person would: by a click, or by typing, so that everything that listens hears of it. */
function write(control: Control | undefined, { value, checked }: Entry): void {
  if (control === undefined) return;
  if (isToggle(control)) {
    if (control.checked !== checked) control.click();
    return;
  }
  if (control.value === value) return;
  // Not by the element's own property: React watches that, and would take the event below for one of its own making.
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control) as Control, "value")?.set?.call(control, value);
  for (const type of ["input", "change"]) control.dispatchEvent(new Event(type, { bubbles: true }));
}

function reopen({ openDetails, dialogs, scroll: [left, top] }: PageState): void {
  for (const [place, details] of document.querySelectorAll("details").entries())
    details.open = openDetails[place] ?? details.open;
  for (const { id, isModal } of dialogs) {
    const dialog = document.getElementById(id);
    if (!(dialog instanceof HTMLDialogElement) || dialog.open) continue;
    if (isModal) dialog.showModal();
    else dialog.showPopover();
  }
  scrollTo({ left, top, behavior: "instant" });
}
