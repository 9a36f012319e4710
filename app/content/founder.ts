import { findInitials } from "~/lib/initials";
import { company } from "./company";
import { looksUnfilled } from "./firm/unfilled";

const { name, role, portrait } = company.founder;
/** Address of the photograph; null if the facts give none. */
const photo = portrait || null;

/** The founder on pages where a visitor decides to write; null until the facts give a name. */
export const founder =
  name === "" || looksUnfilled(name)
    ? null
    : {
        name,
        role,
        photo,
        /** shown without a photograph */
        initials: findInitials(name),
        alt: `Portrait of ${name}`,
        reads: `${name} reads every message.`,
      };

/** The founder's picture; until the facts give a name, the firm's initials stand for the person's. */
export const founderMark = { photo, initials: founder?.initials ?? findInitials(company.name) };
