import { findInitials } from "~/lib/initials";
import { company } from "./company";
import { looksUnfilled } from "./firm/unfilled";

const { name, role, portrait } = company.founder;

/** The founder on pages where a visitor decides to write; null until the facts give a name. */
export const founder =
  name === "" || looksUnfilled(name)
    ? null
    : {
        name,
        role,
        /** address of the photograph; null while there is only the built-in drawing */
        photo: portrait.startsWith("/portrait/") ? portrait : null,
        /** shown without a photograph */
        initials: findInitials(name),
        alt: `Portrait of ${name}`,
        reads: `${name} reads every message.`,
      };
