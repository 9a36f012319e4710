import { company } from "./company";
import { founder } from "./founder";

/** A fact or claim that only the firm can supply or approve before the site goes live. */
export interface Placeholder {
  /** for a fact, its key in the file of facts; for a claim, `claims.` and a name */
  readonly key: string;
  /** what the firm must supply, or be able to back up */
  readonly what: string;
  /** where visitors see it */
  readonly where: string;
  /** for a claim, an excerpt of its text on the site */
  readonly says?: string;
}

/** Claims that stand on the site because the file of facts makes them. */
export function listGivenClaims(): Placeholder[] {
  const { process, proof, examples, engagements, people, clients } = company;
  const person: Placeholder[] = founder
    ? [
        {
          key: "claims.person",
          what: "Have the founder read every message and work with the clients",
          where: "home, audience, service, investors and contact pages, after sending a message, not-found page",
          says: founder.reads,
        },
      ]
    : [];
  const steps = process.map((says, index) => ({
    key: `process.${index}`,
    what: "Begin with every client in this way",
    where: "home, audience and contact pages",
    says,
  }));
  const proofs = proof.map(({ figure, sentence, source }, index) => ({
    key: `proof.${index}`,
    what: "Have the source at hand, and say the same there",
    where: "home, audience and investors pages",
    says: `${figure}: ${sentence} (${source})`,
  }));
  const cases = Object.entries(examples).map(([audience, { startingPoint, work, result }]) => ({
    key: `examples.${audience}`,
    what: "Have the client’s consent, and be able to show each sentence",
    where: "the audience’s page",
    says: `${startingPoint} ${work} ${result}`,
  }));
  const terms = listClaims(
    "engagements",
    "Offer it in this time, from this fee",
    "home and audience pages",
    engagements,
  );
  const specialists = listClaims(
    "people",
    "Have the person’s consent, and prove each word",
    "home and about pages",
    people,
  );
  const named = listClaims("clients", "Have the client’s consent in writing", "home and audience pages", clients);
  return [...person, ...steps, ...proofs, ...cases, ...terms, ...specialists, ...named];
}

function listClaims(key: string, what: string, where: string, facts: readonly Record<string, string>[]): Placeholder[] {
  return facts.map((fact, index) => ({ key: `${key}.${index}`, what, where, says: Object.values(fact).join(", ") }));
}
