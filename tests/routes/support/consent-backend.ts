import { answerJson, hang, hangUp, startStubProject } from "./stub-project";

/** Body of a call to `record-consent`. */
export type RecordedConsent = Record<string, string | boolean | null>;

/** A stub Supabase project that can fail and recover, reduced to what consent records need. */
export interface ConsentBackend {
  /** settings that connect a product to it */
  settings: Record<string, string>;
  /** every call of `record-consent`, with or without a response, oldest first */
  readonly calls: RecordedConsent[];
  /** sets its next responses: 503, none, a dropped connection, or success */
  become(state: keyof typeof states): void;
  /** rejects calls with this record id from now on, like a value that fits no column, and accepts all others */
  refuse(recordId: string): void;
  close(): Promise<void>;
}

/** Text of an error that quotes its input, as database errors do. */
export const quotedTrouble = "trouble with the visitor's own words";

const states = {
  away: answerJson(503, { error: "unavailable", message: quotedTrouble }),
  silent: hang,
  "hanging up": hangUp,
  there: answerJson(200, { ok: true }),
};

/** Starts it in the state `away`. */
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
