import { keepHyphenated } from "./keep-hyphenated";

/** A card that links to an audience page. */
export interface AudienceCard {
  path: string;
  label: string;
  text: string;
  /** says where the card leads */
  more: string;
}

/** The audience cards, with large numerals. An ordered list would number them twice in text browsers. */
export function AudienceCards({ cards }: { cards: readonly AudienceCard[] }) {
  return (
    <ul className="audience-cards">
      {cards.map((card, index) => (
        <li key={card.path}>
          <a href={card.path} className="audience-card">
            <span className="audience-numeral">{index + 1}</span>
            <h3 className="text-2xl">{keepHyphenated(card.label)}</h3>
            <p className="mt-2 max-w-[28em]">{card.text}</p>
            <span className="more">{card.more}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}
