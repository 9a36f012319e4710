import { keepHyphenated } from "./keep-hyphenated";

/** A title with one or two sentences about it. */
export interface Item {
  title: string;
  text: string;
}

/** Props of {@link ItemList}. */
export interface ItemListProps {
  items: readonly Item[];
  /** a note after the fourth item, which divides a long list */
  note?: Item | undefined;
}

/** Divides the list in two columns after a full row. */
const itemsBeforeNote = 4;

/**
 * A numbered list with hairlines, in two columns on a desktop. The numbers are in the markup, not CSS counters, and an
 * ordered list would number the items twice in text browsers.
 */
export function ItemList({ items, note }: ItemListProps) {
  if (!note) return <Items items={items} first={1} />;
  return (
    <>
      <Items items={items.slice(0, itemsBeforeNote)} first={1} />
      <div role="note" className="example">
        <p className="eyebrow">{note.title}</p>
        <p>{note.text}</p>
      </div>
      <Items items={items.slice(itemsBeforeNote)} first={itemsBeforeNote + 1} />
    </>
  );
}

function Items({ items, first }: { items: readonly Item[]; first: number }) {
  return (
    <ul className="item-list">
      {items.map((item, index) => (
        <li key={item.title}>
          <span className="numeral">{first + index}</span>
          <div>
            <h3 className="text-2xl">{item.title}</h3>
            <p className="mt-2 max-w-[29em]">{keepHyphenated(item.text)}</p>
          </div>
        </li>
      ))}
    </ul>
  );
}
