import { company } from "./company";

const { engagements, people, clients } = company;

/** The people who work beside the founder; null unless the facts name any. */
export const peopleSection = people.length === 0 ? null : { title: "The specialists we bring in", people };

/** Kinds of engagement with their time and lowest fee; null unless the facts give any. */
export const engagementSection =
  engagements.length === 0
    ? null
    : {
        title: "How long, and for what fee",
        lead: "What you get, by when and for what fee is agreed in writing before we begin.",
        engagements: engagements.map(({ what, weeks, feeFrom }) => ({
          what,
          time: `${weeks} ${weeks === "1" ? "week" : "weeks"}`,
          fee: `from ${feeFrom}`,
        })),
      };

/** Clients who agreed to be named; null unless the facts name any. */
export const clientLine =
  clients.length === 0 ? null : { title: "Clients, named with their consent", names: clients.map(({ name }) => name) };
