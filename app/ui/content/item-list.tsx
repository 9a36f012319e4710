import { keepHyphenated } from "./keep-hyphenated";

/** A title with one or two sentences about it. */
export interface Item {
  title: string;
  text: string;
}

/** A numbered list with hairlines, in two columns on a desktop. The numbers are in the markup, not CSS counters. */
export function ItemList({ items }: { items: readonly Item[] }) {
  return (
    <ol className="item-list">
      {items.map((item, index) => (
        <li key={item.title}>
          <span aria-hidden="true" className="numeral">
            {index + 1}
          </span>
          <div>
            <h3 className="text-2xl">{item.title}</h3>
            <p className="mt-2 max-w-[29em]">{keepHyphenated(item.text)}</p>
          </div>
        </li>
      ))}
    </ol>
  );
}
