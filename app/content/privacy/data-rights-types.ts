/**
 * Types of data rights requests, in words for the form, for emails and for the pages behind their links. The order is
 * that of the form (REQUIREMENTS 5.2, and a complaint after them). The keys are the form's values.
 */
export const dataRightsTypeWords = {
  access: "Access: a copy of the data",
  rectification: "Rectification: have data corrected",
  erasure: "Erasure: have data deleted",
  portability: "Portability: data in a machine-readable format",
  restrict: "Restriction: have data kept but not used",
  object: "Objection: object to a use of data",
  other: "Something else",
  complaint: "Complaint: about how we handled data",
} as const;
