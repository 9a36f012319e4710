import { LineSegment, type VitalLineSegment } from "./vital-line";

/** A card that links to a service page and shows its segment of the line. */
export interface ServiceCard {
  path: string;
  label: string;
  line: VitalLineSegment;
  text: string;
  /** says where the card leads */
  more: string;
}

/** The service cards. On a desktop they are side by side, and their segments join into one line. */
export function ServiceCards({ cards }: { cards: readonly ServiceCard[] }) {
  return (
    <ul className="service-cards">
      {cards.map((card) => (
        <li key={card.path}>
          <a href={card.path} className="service-card">
            <LineSegment segment={card.line} className="service-line" />
            <h3 className="text-3xl">{card.label}</h3>
            <p className="mt-3">{card.text}</p>
            <span className="more">{card.more}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}
