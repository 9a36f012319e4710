import { answerJson, hang, hangUp, startStubProject } from "./stub-project";

/** Body of a call of `record-consent`. */
export type RecordedConsent = Record<string, string | boolean | null>;

/** A Supabase project that can be away and come back: as much of it as keeping consent needs. */
export interface ConsentBackend {
  /** settings that let a product use it */
  settings: Record<string, string>;
  /** every call of `record-consent`, answered or not, oldest first */
  readonly calls: RecordedConsent[];
  /** from now on: 503, silence, a closed door's hang-up, or a proper answer */
  become(state: keyof typeof states): void;
  /** from now on: refuses what is to be recorded under this number, by a value that fits no column, and takes all else */
  refuse(recordId: string): void;
  close(): Promise<void>;
}

/** Words of an error that quotes what it was sent, as errors of a database do. */
export const quotedTrouble = "trouble with the visitor's own words";

const states = {
  away: answerJson(503, { error: "unavailable", message: quotedTrouble }),
  silent: hang,
  "hanging up": hangUp,
  there: answerJson(200, { ok: true }),
};

/** Starts it away. */
export async function startConsentBackend(): Promise<ConsentBackend> {
  const project = await startStubProject(states.away);
  return {
    settings: project.settings,
    get calls() {
      const calls = project.calls.filter(({ path }) => path === "/functions/v1/record-consent");
      return calls.map(({ body }) => JSON.parse(body) as RecordedConsent);
    },
    refuse: (recordId) => {
      const refusal = answerJson(400, { error: "invalid" });
      project.become((call, ...rest) => (call.body.includes(recordId) ? refusal : states.there)(call, ...rest));
    },
    become: (state) => project.become(states[state]),
    close: () => project.close(),
  };
}
