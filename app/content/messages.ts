import { dataRightsDeadline } from "./facts";

/** How a message looks and is announced: `error` interrupts a screen reader, the others wait their turn. */
export type MessageTone = "success" | "info" | "error";

/** A short message to the person at the screen. */
export interface Message {
  tone: MessageTone;
  title: string;
  text: string;
}

/** Those that REQUIREMENTS 9.1 lists are word for word. The flash cookie carries a key, never a text. */
export const messages = {
  contactSent: { tone: "success", title: "Message Sent!", text: "We'll get back to you within 24 hours." },
  contactFailed: {
    tone: "error",
    title: "Error",
    text: "Failed to send message. Please try again or email us directly.",
  },
  loginSucceeded: { tone: "success", title: "Login successful", text: "Redirecting to admin dashboard..." },
  loggedOut: { tone: "success", title: "Logged out", text: "You have been successfully logged out" },
  loginRequired: {
    tone: "error",
    title: "Authentication required",
    text: "Please login to access the admin dashboard",
  },
  consentTextChanged: {
    tone: "info",
    title: "Please choose again",
    text: "Our cookie notice changed while this page was open. Your choice was not saved.",
  },
  consentErased: {
    tone: "success",
    title: "Record deleted",
    text: "Our record of your cookie choices is gone, and so is your choice.",
  },
  consentNotErased: {
    tone: "error",
    title: "Error",
    text: "Your record could not be deleted, and nothing has changed. Please try again in a few minutes.",
  },
  submissionMarked: { tone: "success", title: "Saved", text: "The message has been updated." },
  submissionRestored: { tone: "success", title: "Restored", text: "The message was moved to New." },
  submissionDeleted: {
    tone: "success",
    title: "Deleted",
    text: "The message and its emails were deleted from this site.",
  },
  dataRightsSent: {
    tone: "success",
    title: "Request Submitted",
    text: "We've received your data rights request. We'll respond within 30 days as required by GDPR.",
  },
  complaintSent: {
    tone: "success",
    title: "Complaint received",
    text: `We will look into it and email you the outcome within ${dataRightsDeadline.responseDays}\u00a0days.`,
  },
  dataRightsFailed: {
    tone: "error",
    title: "Error",
    text: "Failed to submit your request. Please try again or contact us directly.",
  },
  dataRightsConfirmed: {
    tone: "success",
    title: "Request confirmed",
    text: "We're working on it and will email you. Use the status link in our email to follow its progress.",
  },
  dataRightsPackage: {
    tone: "success",
    title: "Check your email",
    text: "We are sending the link to your data to the address of the request. It comes within a few minutes.",
  },
  dataRightsWithdrawn: { tone: "success", title: "Request withdrawn", text: "We have stopped working on it." },
  dataRightsClosed: { tone: "info", title: "Nothing to withdraw", text: "This request is already closed." },
  requestEntered: { tone: "success", title: "Entered", text: "The person is told by email, with a status link." },
  requestChanged: { tone: "success", title: "Saved", text: "The change was added to the log." },
  submissionCorrected: { tone: "success", title: "Corrected", text: "The stored message has the new text." },
  subjectErased: {
    tone: "success",
    title: "Erased",
    text: "What this site held under that address was deleted; backups hold it until they expire. One last email tells the requester.",
  },
  notAdmin: { tone: "error", title: "Access denied", text: "You do not have admin privileges" },
} as const satisfies Record<string, Message>;

/** Which message. */
export type MessageKey = keyof typeof messages;

/** Titles of the messages whose text comes from the authentication service or the database (REQUIREMENTS 9.1). */
export const messageTitles = {
  loginFailed: "Login failed",
  loginBroken: "An error occurred",
  submissionsFailed: "Error loading submissions",
  adminFailed: "Error",
} as const;

/** Their text where the service gave none (REQUIREMENTS 9.1). */
export const fallbackTexts = {
  loginBroken: "Failed to sign in",
  adminFailed: "Failed to load admin dashboard",
} as const;
