/** A control for text or a choice. */
type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** A control's content as the visitor left it. */
interface Entry {
  /** identifies the same control in a recreated document */
  name: string;
  value: string;
  checked: boolean;
  caret: Caret | null;
}

type Caret = [start: number, end: number, direction: "forward" | "backward" | "none" | undefined];

/** The page's state when React rendered it. */
export interface PageState {
  root: HTMLElement;
  focused: Element | null;
  openDetails: boolean[];
  dialogs: { id: string; isModal: boolean }[];
  /** the style sheet hides the answered cookie banner, which React would show again */
  isBannerHidden: boolean;
  scroll: [number, number];
}

/** Keeps what visitors do on a page before and during hydration. */
export interface PageMemory {
  /** Captures the page's state. Call it while React renders, which may recreate the document right afterward. */
  look(): PageState;
  /** Restores everything that the page has lost and forgets the rest. Call it before anything reads the controls. */
  putBack(state: PageState): void;
  /**
   * Returns focus to a control that the visitor is typing into: notices and error summaries take it when scripts start.
   */
  putBackFocus(): void;
}

const banner = ".consent-banner";
const controls = "input:not([type=hidden], [type=file]), textarea, select";

/**
 * Remembers a page's state. If an extension or a translator has changed the document, React recreates it, and all input
 * would be lost. React also resets each text area to the text that the server sent.
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
    // Any other value was not typed, so its caret means nothing.
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
    const matches = (other: Element) => other.id === element.id && other.textContent === element.textContent;
    return [...document.querySelectorAll<HTMLElement>(element.localName)].find(matches) ?? null;
  };

  /** The element that had the focus after `putBack`. */
  let focused: Element | null = null;

  function focus() {
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
      isBannerHidden: document.querySelector(banner)?.getClientRects().length === 0,
      scroll: [scrollX, scrollY],
    }),
    putBack(state) {
      for (const [type, listener] of listeners) document.removeEventListener(type, listener, true);
      const now = nameControls();
      for (const [control, entry] of entries) write(control.isConnected ? control : now.get(entry.name), entry);
      if (!state.root.isConnected) reopen(state);
      // A visitor may have moved on to the next control since React began.
      focused = state.focused?.isConnected ? document.activeElement : state.focused;
      focus();
    },
    putBackFocus() {
      if (entries.has(focused as Control) && !document.activeElement?.matches(controls)) focus();
    },
  };
}

/** Maps every named control by its form, name and type, and by its position among controls that share these. */
function nameControls(): Map<string, Control> {
  const named = new Map<string, Control>();
  for (const control of document.querySelectorAll<Control>(controls)) {
    if (control.name === "") continue;
    const { form, name, type } = control;
    const choice = isToggle(control) ? control.value : "";
    const parts = [form?.id, form?.getAttribute("action"), name, type, choice];
    for (let position = 0; ; position += 1) {
      const key = [...parts, position].join("\n");
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

/** Returns null for a control without a caret, such as an email field. */
function readCaret(control: Control): Caret | null {
  if (!("selectionStart" in control) || control.selectionStart === null) return null;
  return [
    control.selectionStart,
    control.selectionEnd ?? control.selectionStart,
    control.selectionDirection ?? undefined,
  ];
}

/** Sets a control as a person would, by a click or by input events, so that all listeners run. */
function write(control: Control | undefined, { value, checked }: Entry): void {
  if (control === undefined) return;
  if (isToggle(control)) {
    if (control.checked !== checked) control.click();
    return;
  }
  if (control.value === value) return;
  // Not through the element's own property: React tracks that and would ignore the event below as its own.
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control) as Control, "value")?.set?.call(control, value);
  for (const type of ["input", "change"]) control.dispatchEvent(new Event(type, { bubbles: true }));
}

function reopen({ openDetails, dialogs, isBannerHidden, scroll: [left, top] }: PageState): void {
  if (isBannerHidden) document.querySelector<HTMLElement>(banner)?.style.setProperty("display", "none");
  for (const [index, details] of document.querySelectorAll("details").entries())
    details.open = openDetails[index] ?? details.open;
  for (const { id, isModal } of dialogs) {
    const dialog = document.getElementById(id);
    if (!(dialog instanceof HTMLDialogElement) || dialog.open) continue;
    if (isModal) dialog.showModal();
    else dialog.showPopover();
  }
  scrollTo({ left, top, behavior: "instant" });
}
