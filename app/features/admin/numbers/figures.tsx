import { TallLink } from "~/ui/content/tall-link";
import type { AnswerTimes } from "../inbox/answer-times.server";
import type { Numbers } from "./numbers.server";

/** Content of {@link Figures}. */
export interface FiguresProps {
  numbers: Numbers;
  /** the period in words */
  period: string;
  /** months that count for the times to answer */
  months: readonly AnswerTimes[];
}

/** The three numbers that a firm asks for first. */
export function Figures({ numbers: { times, isByMonth }, period, months }: FiguresProps) {
  const sum = (kind: "message" | "view") => times.reduce((total, time) => total + time[kind], 0);
  const [onTime, judged] = (["in_time", "judged"] as const).map((name) =>
    months.reduce((total, month) => total + month[name], 0),
  );
  const figures = [
    ["Messages", sum("message").toLocaleString("en-US")],
    [isByMonth ? "Answered on time" : "Answered on time this month", judged ? `${onTime} of ${judged}` : "–"],
    ["Views", sum("view").toLocaleString("en-US")],
  ];
  return (
    <section aria-label={period}>
      <dl className="figures">
        {figures.map(([term, figure]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{figure}</dd>
          </div>
        ))}
      </dl>
      <TallLink href="/admin/answer-times">Response times by month</TallLink>
    </section>
  );
}
