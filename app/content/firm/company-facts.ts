import type { ReplyDays } from "~/lib/reply-promise";
import type { GivenFacts } from "./facts-schema.server";

type Facts = Required<GivenFacts>;

/**
 * Facts about the firm that pages, emails, policies and structured data share. `docs/facts.example.yaml` describes each.
 * An empty text or list omits what it would be shown as: a link, a representative, a section.
 */
export type Company = Omit<Facts, "founder" | "representatives"> & {
  /** days that count toward `replyWithinHours`: the setting REPLY_DAYS, not a fact in the file */
  replyDays: ReplyDays;
  /** `portrait`: path of the picture on this site */
  founder: Required<Facts["founder"]>;
  representatives: Required<Facts["representatives"]>;
};

/** Audience with its own page, as named in the file of facts. */
export type Audience = keyof Company["examples"];
