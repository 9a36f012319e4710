import { numbersPage as words } from "~/content/account/numbers";
import { noName } from "~/lib/day-counts";
import { formatMonth, formatShortDay } from "~/lib/dates";
import { CountTable } from "./count-table";
import type { NamedNumber, NumberOfKind, Numbers } from "./numbers.server";

const ofTimes = ["view", "referrer", "message", "prefetch", "robot"] as const;
const ofPages = ["view", "message", "prefetch", "robot"] as const;

/** Everything that was counted in a period, a table a question. */
export function NumbersView({ numbers }: { numbers: Numbers }) {
  const { isByMonth, times, pages } = numbers;
  const line = (kind: keyof NumberOfKind) => times.map((time) => time[kind]);
  const sum = (kind: keyof NumberOfKind) => line(kind).reduce((total, number) => total + number, 0);
  const shared = { isByMonth };
  return (
    <>
      <CountTable
        {...shared}
        id="views"
        title={words.times.title}
        line={line("view")}
        columns={[isByMonth ? words.times.month : words.times.day, ...words.times.columns]}
        rows={times.toReversed().map((time) => ({
          name: isByMonth ? formatMonth(time.time) : formatShortDay(time.time).replace(/ (?=\d)/, "\u00a0"),
          numbers: ofTimes.map((kind) => time[kind]),
        }))}
        total={ofTimes.map(sum)}
      >
        <p className="max-w-[68ch]">{words.times.note}</p>
      </CountTable>
      <CountTable
        {...shared}
        id="pages"
        title={words.pages.title}
        line={line("message")}
        columns={[words.pages.page, ...words.pages.columns]}
        rows={pages.map((page) => ({
          name: page.name === noName ? words.pages.unknown : page.name,
          numbers: ofPages.map((kind) => page[kind]),
        }))}
      >
        <p className="max-w-[68ch]">{`${words.pages.line} ${words.pages.note}`}</p>
      </CountTable>
      <CountTable {...shared} id="referrers" line={line("referrer")} {...named(words.referrers, numbers.referrers)}>
        <p className="max-w-[68ch]">{words.referrers.note}</p>
      </CountTable>
      <CountTable {...shared} id="campaigns" line={line("campaign")} {...named(words.campaigns, numbers.campaigns)}>
        <p className="max-w-[68ch]">{words.campaigns.note}</p>
      </CountTable>
      <CountTable {...shared} id="banner" line={line("banner")} {...named(words.banner, numbers.banner)} />
    </>
  );
}

interface NamedWords {
  title: string;
  name: string;
  number: string;
  /** of the names that are no visitor's; others stand as they are */
  names: Readonly<Record<string, string>>;
}

function named({ title, name, number, names }: NamedWords, counted: readonly NamedNumber[]) {
  return {
    title,
    columns: [name, number],
    rows: counted.map((row) => ({ name: names[row.name] ?? row.name, numbers: [row.number] })),
  };
}
