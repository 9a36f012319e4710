/**
 * What may be asked for, in words that fit the form, the mail's reader and the pages behind its links. The order is the
 * form's (REQUIREMENTS 5.2, and a complaint after them); the names are those that the form sends.
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
