/** A page to agree on, beside the firm's first steps. On it, as on all pages here, `____` is a blank. */
export const onePage = {
  caption: "the page that both sides agree on before work starts",
  title: "One page",
  rows: [
    { label: "What", text: "A hospital pilot, ready to sign" },
    { label: "Not included", text: "Legal advice" },
    { label: "By when", text: "Draft on ____, done on ____" },
    { label: "Who", text: "The founder, a security lead" },
    { label: "Fee", text: "$ ____" },
    { label: "To stop", text: "Either side, ____ days ahead" },
  ],
  isSigned: true,
} as const;

const diligenceList = {
  caption: "a diligence list with one gap",
  title: "Diligence list",
  rows: [
    { label: "Who pays, by which code", text: "payer contracts", mark: "found" },
    { label: "Accuracy by patient group", text: "validation report", mark: "found" },
    { label: "Rights to the training data", text: "No document. Asked ____", mark: "gap" },
    { label: "Security test and fixes", text: "tester’s letter", mark: "found" },
    { label: "Licenses, state by state", text: "register", mark: "found" },
  ],
} as const;

/** Sections with an example of the work, by the path of their page. Nothing on them is a client's. */
const sections = {
  "/build": {
    title: "Each claim beside its source",
    text: "Careful buyers ask where a sentence comes from. We ask first, and strike what has no answer.",
    artifact: {
      caption: "a marked-up table of claims",
      title: "Claims and sources",
      rows: [
        { label: "Tried by nurses", text: "interview notes", mark: "found" },
        { label: "Cuts readmissions", text: "No source", mark: "cut" },
        { label: "Reads FHIR records", text: "test report", mark: "found" },
        { label: "FDA approved", text: "Say “cleared”", mark: "cut" },
        { label: "Notes take less time", text: "pilot log", mark: "found" },
      ],
    },
  },
  "/scale": {
    title: "The bad news first",
    text: "One page before each board meeting, with the same measures every quarter, good or bad.",
    artifact: {
      caption: "the first page of a board report",
      title: "Board report, page 1",
      rows: [
        { label: "Second site", text: "Opens late, on ____", mark: "late" },
        { label: "Days until a claim is paid", text: "better than planned", mark: "falls" },
        { label: "Visits a week", text: "as planned", mark: "rises" },
        { label: "Members who stay", text: "as planned", mark: "holds" },
        { label: "To decide", text: "A clinic lead: yes or no" },
      ],
    },
  },
  "/value": {
    title: "Find the gap before a buyer does",
    text: "Each question leads to a document. The one that doesn’t is yours to settle first.",
    artifact: diligenceList,
  },
  "/investors": {
    title: "The gap stays in sight",
    text: "Each question leads to a document. The one that doesn’t is where the next conversation starts.",
    artifact: diligenceList,
  },
} as const;

/** Finds the section that shows an example of the work on a page; undefined if it has none. */
export function findArtifactSection(path: string) {
  return Object.entries(sections).find(([each]) => each === path)?.[1];
}
