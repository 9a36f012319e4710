import { noName, otherName } from "~/lib/day-counts";
import { formatMonth, formatShortDay } from "~/lib/dates";
import { CountTable } from "./count-table";
import type { NamedCount, CountsByKind, Numbers } from "./numbers.server";

const timeKinds = ["view", "referrer", "message", "prefetch", "robot"] as const;
const memberSteps = ["asked", "confirmed", "left"] as const;
const pageKinds = ["view", "message", "prefetch", "robot"] as const;

/** All counts of a period, one table per question. */
export function NumbersView({ numbers }: { numbers: Numbers }) {
  const { isByMonth, times, pages } = numbers;
  const line = (kind: keyof CountsByKind) => times.map((time) => time[kind]);
  const sum = (kind: keyof CountsByKind) => line(kind).reduce((total, number) => total + number, 0);
  const shared = { isByMonth };
  const nameOf = (time: string) => (isByMonth ? formatMonth(time) : formatShortDay(time).replace(/ (?=\d)/, "\u00a0"));
  const members = memberSteps.map((step) => numbers.network.map((time) => time[step]));
  return (
    <>
      <CountTable
        {...shared}
        id="views"
        title="Views"
        line={line("view")}
        columns={[isByMonth ? "Month" : "Day", "Views", "Arrivals", "Messages", "Pre\u00adfetched", "Bots"]}
        rows={times.toReversed().map((time) => ({
          name: nameOf(time.time),
          numbers: timeKinds.map((kind) => time[kind]),
        }))}
        total={timeKinds.map(sum)}
      >
        <p className="max-w-[43.5em]">
          Arrivals are views that came from another site or a typed address. Browsers prefetch a page when the pointer
          rests on its link. Some visitors then open it without another request. Bots are recognized by the name they
          send.
        </p>
      </CountTable>
      <CountTable
        {...shared}
        id="pages"
        title="Pages"
        line={line("message")}
        columns={["Page", "Views", "Messages", "Pre\u00adfetched", "Bots"]}
        rows={pages.map((page) => ({
          name: page.name === noName ? "Unknown" : page.name,
          numbers: pageKinds.map((kind) => page[kind]),
        }))}
      >
        <p className="max-w-[43.5em]">
          The chart shows messages. A message counts for the page whose link led to the contact form.
        </p>
      </CountTable>
      <CountTable
        {...shared}
        id="referrers"
        title="Where visitors came from"
        line={line("referrer")}
        columns={["Site or app", "Arrivals"]}
        rows={nameRows(numbers.referrers, { [noName]: "Direct or unknown", [otherName]: "Other" })}
      >
        <p className="max-w-[43.5em]">A name appears once it has 3 arrivals, because anyone can make one up.</p>
      </CountTable>
      <CountTable
        {...shared}
        id="campaigns"
        title="Campaigns"
        line={line("campaign")}
        columns={["utm_campaign, or utm_source", "Views"]}
        rows={nameRows(numbers.campaigns, { [otherName]: "Other" })}
      >
        <p className="max-w-[43.5em]">A name appears once it has 3 views, because anyone can make one up.</p>
      </CountTable>
      <CountTable
        {...shared}
        id="banner"
        title="Cookie notice decisions"
        line={line("banner")}
        columns={["Decision", "Times"]}
        rows={nameRows(numbers.banner, decisionNames)}
      />
      <CountTable
        {...shared}
        id="network"
        title="Investor network"
        line={numbers.network.map(({ confirmed }) => confirmed)}
        columns={[isByMonth ? "Month" : "Day", "Asked", "Confirmed", "Left"]}
        rows={numbers.network.toReversed().map((time) => ({
          name: nameOf(time.time),
          numbers: memberSteps.map((step) => time[step]),
        }))}
        total={members.map((counts) => counts.reduce((total, number) => total + number, 0))}
      >
        <p className="max-w-[43.5em]">
          The chart shows confirmed addresses. Someone who asks and does not confirm is not counted as left.
        </p>
      </CountTable>
    </>
  );
}

const decisionNames = { accept: "Accept all", reject: "Reject all", customize: "Customize and save", close: "Closed" };

/** @param names labels for our own names; names from visitors are shown unchanged */
function nameRows(counted: readonly NamedCount[], names: Readonly<Record<string, string>>) {
  return counted.map((row) => ({ name: names[row.name] ?? row.name, numbers: [row.number] }));
}
