import { noName, otherName } from "~/lib/day-counts";
import { formatMonth, formatShortDay } from "~/lib/dates";
import { CountTable } from "./count-table";
import type { NamedCount, CountsByKind, Numbers } from "./numbers.server";

const timeKinds = ["view", "referrer", "message", "prefetch", "robot"] as const;
const pageKinds = ["view", "message", "prefetch", "robot"] as const;

/** All counts of a period, one table per question. */
export function NumbersView({ numbers }: { numbers: Numbers }) {
  const { isByMonth, times, pages } = numbers;
  const line = (kind: keyof CountsByKind) => times.map((time) => time[kind]);
  const sum = (kind: keyof CountsByKind) => line(kind).reduce((total, number) => total + number, 0);
  const shared = { isByMonth };
  return (
    <>
      <CountTable
        {...shared}
        id="views"
        title="Views"
        line={line("view")}
        columns={[isByMonth ? "Month" : "Day", "Views", "Arrivals", "Messages", "Fetched ahead", "Robots"]}
        rows={times.toReversed().map((time) => ({
          name: isByMonth ? formatMonth(time.time) : formatShortDay(time.time).replace(/ (?=\d)/, "\u00a0"),
          numbers: timeKinds.map((kind) => time[kind]),
        }))}
        total={timeKinds.map(sum)}
      >
        <p className="max-w-[68ch]">
          Arrivals are views that began on another site or with a typed address. Browsers fetch pages ahead when a
          pointer rests on a link; some of these are then read without being asked for again. Robots are known by what
          they call themselves.
        </p>
      </CountTable>
      <CountTable
        {...shared}
        id="pages"
        title="Pages"
        line={line("message")}
        columns={["Page", "Views", "Messages", "Fetched ahead", "Robots"]}
        rows={pages.map((page) => ({
          name: page.name === noName ? "Not known" : page.name,
          numbers: pageKinds.map((kind) => page[kind]),
        }))}
      >
        <p className="max-w-[68ch]">
          The line shows messages. Messages are counted at the page whose link led to the contact form.
        </p>
      </CountTable>
      <CountTable
        {...shared}
        id="referrers"
        title="Where visitors came from"
        line={line("referrer")}
        columns={["Site or app", "Arrivals"]}
        rows={nameRows(numbers.referrers, { [noName]: "Typed, saved, or not said", [otherName]: "Others" })}
      >
        <p className="max-w-[68ch]">A name appears from 3 arrivals on, since anybody can make one up.</p>
      </CountTable>
      <CountTable
        {...shared}
        id="campaigns"
        title="Campaigns"
        line={line("campaign")}
        columns={["utm_campaign, or utm_source", "Views"]}
        rows={nameRows(numbers.campaigns, { [otherName]: "Others" })}
      >
        <p className="max-w-[68ch]">A name appears from 3 views on, since anybody can make one up.</p>
      </CountTable>
      <CountTable
        {...shared}
        id="banner"
        title="Answers to the cookie notice"
        line={line("banner")}
        columns={["Answer", "Times"]}
        rows={nameRows(numbers.banner, decisionNames)}
      />
    </>
  );
}

const decisionNames = { accept: "Accept all", reject: "Reject all", customize: "Customize and save", close: "Closed" };

/** @param names labels for our own names; names from visitors are shown unchanged */
function nameRows(counted: readonly NamedCount[], names: Readonly<Record<string, string>>) {
  return counted.map((row) => ({ name: names[row.name] ?? row.name, numbers: [row.number] }));
}
