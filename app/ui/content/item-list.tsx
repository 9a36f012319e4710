/** A title and what it means in one or two sentences. */
export interface Item {
  title: string;
  text: string;
}

/** An editorial list: number, title, sentences, hairline; two columns on a desk. Numbers are set, not counted by CSS. */
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
            <p className="mt-2 max-w-[45ch]">{item.text}</p>
          </div>
        </li>
      ))}
    </ol>
  );
}
