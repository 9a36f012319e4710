import { keepHyphenated } from "./keep-hyphenated";

/** A title with one or two sentences about it. */
export interface Item {
  title: string;
  text: string;
}

/** Props of {@link ItemList}. */
export interface ItemListProps {
  items: readonly Item[];
  /** shows the first item larger, across both columns */
  isLed?: boolean;
}

/**
 * A numbered list with hairlines, in two columns on a desktop. The numbers are in the markup, not CSS counters, and an
 * ordered list would number the items twice in text browsers.
 */
export function ItemList({ items, isLed = false }: ItemListProps) {
  return (
    <ul className={isLed ? "item-list led" : "item-list"}>
      {items.map((item, index) => (
        <li key={item.title}>
          <span className="numeral">{index + 1}</span>
          <div>
            <h3>{item.title}</h3>
            <p className="mt-2 max-w-[29em]">{keepHyphenated(item.text)}</p>
          </div>
        </li>
      ))}
    </ul>
  );
}
