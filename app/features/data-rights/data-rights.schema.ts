/**
 * The rules of the form are written once, beside the function that has the last word on them, so that the page and the
 * function can never disagree.
 */
export {
  type DataRightsRequest,
  dataRightsLimits,
  dataRightsRequestSchema,
} from "#supabase/functions/_shared/data-rights-request";
