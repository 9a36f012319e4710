import { replyPromise } from "./company";
import { dataRightsDeadline } from "./facts";

/** Appearance of a message. Screen readers announce `error` immediately and wait with the others. */
export type MessageTone = "success" | "info" | "error";

/** A short message to the visitor or admin. */
export interface Message {
  tone: MessageTone;
  title: string;
  text: string;
}

/** Says how long a promised mail may take while it waits for the hourly limit. */
export function describeMailWait(hours: number): string {
  return `Many people are asking right now, so our email may take up to ${hours === 1 ? "an hour" : `${hours}\u00a0hours`}.`;
}

const lineFull = {
  tone: "error",
  title: "We can’t send the link now",
} as const;

/** All messages. Those listed in REQUIREMENTS 9.1 are verbatim. An address carries only the key. */
export const messages = {
  contactSent: {
    tone: "success",
    title: "Message Sent!",
    text: `We'll get back to you within ${replyPromise}.`,
  },
  contactSentJoining: {
    tone: "success",
    title: "Message Sent!",
    text: "Now open the link that we are emailing you, to join the investor network.",
  },
  formReceived: {
    tone: "info",
    title: "Did you just send a form here?",
    text: "If so, we received it, and you need not send it again. If not, someone else gave you this address.",
  },
  contactFailed: {
    tone: "error",
    title: "Error",
    text: "Failed to send message. Please try again or email us directly.",
  },
  contactLineFull: {
    ...lineFull,
    text: "Too many people are waiting for one, so we did not accept this form. Your text is still here: send it again in an hour, or uncheck the box for the investor network to send your message alone.",
  },
  dataRightsLineFull: {
    ...lineFull,
    text: "Too many people are waiting for one, so we did not accept this form. Your text is still here: send it again in an hour, or email us directly.",
  },
  networkLineFull: {
    tone: "error",
    title: "The link was not sent",
    text: "We can’t send the link now, because too many people are waiting for one. Try again in an hour.",
  },
  loginSucceeded: { tone: "success", title: "Login successful", text: "Redirecting to admin dashboard..." },
  passwordAccepted: { tone: "success", title: "Password accepted", text: "Enter your code to finish signing in." },
  cookieNotKept: {
    tone: "error",
    title: "You are not signed in",
    text: "Your browser did not save the sign-in cookie. Allow cookies for this site, then sign in again.",
  },
  loggedOut: { tone: "success", title: "Logged out", text: "You have been successfully logged out" },
  loggedOutHere: {
    tone: "error",
    title: "Logged out in this browser only",
    text: "The session could not be ended on the server, so a copy of it may still work. Sign in again later and end it under Your account, or wait for its end.",
  },
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
  choiceSaved: { tone: "success", title: "Saved", text: "Your choice about cookies is saved in this browser." },
  bannerClosed: {
    tone: "info",
    title: "No choice saved",
    text: "Only necessary cookies are used. You can choose at any time under “Cookie preferences” at the foot of each page.",
  },
  choiceNotKept: {
    tone: "info",
    title: "Your choice was not saved",
    text: "Your browser does not accept cookies from this site, so we will ask again. Until you allow cookies, we use only necessary ones.",
  },
  consentErased: {
    tone: "success",
    title: "Record deleted",
    text: "Our record of your cookie choices was deleted, and your choice with it.",
  },
  consentNotErased: {
    tone: "error",
    title: "Error",
    text: "Your record may still be there, and your choice still applies. Please try again in a few minutes.",
  },
  submissionMarked: { tone: "success", title: "Saved", text: "The message has been updated." },
  submissionUndone: { tone: "success", title: "Undone", text: "The message is as it was before." },
  replySent: { tone: "success", title: "Reply sent", text: "It leaves in half a minute. The message is done." },
  replyTakenBack: { tone: "success", title: "Taken back", text: "Nothing was sent. Your text is in the form again." },
  replyLeft: { tone: "info", title: "Too late", text: "The reply has left already, so it stays as it is." },
  draftSaved: { tone: "success", title: "Draft saved", text: "Anyone on the team can continue it below." },
  draftDeleted: { tone: "success", title: "Draft deleted", text: "This message no longer has a draft." },
  snippetSaved: { tone: "success", title: "Saved", text: "You can now insert this text into replies." },
  snippetDeleted: { tone: "success", title: "Deleted", text: "Replies already sent with this text stay as they are." },
  submissionRestored: { tone: "success", title: "Restored", text: "The message was moved to New." },
  mailResent: { tone: "success", title: "Sending again", text: "We are handing the email to the mail server." },
  mailHurried: { tone: "success", title: "Sending it now", text: "We are handing the email to the mail server." },
  mailCorrected: {
    tone: "success",
    title: "Address corrected",
    text: "We are handing the email for the new address to the mail server.",
  },
  submissionDeleted: {
    tone: "success",
    title: "Deleted",
    text: "The message and its emails were deleted from this site.",
  },
  spamDeleted: { tone: "success", title: "Deleted", text: "The spam that was shown was deleted from this site." },
  spamPartlyDeleted: {
    tone: "info",
    title: "Not all were deleted",
    text: "The messages that are left are no longer spam, or their sender has asked for their data.",
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
    text: "We are emailing the link to your data to the address of the request. It should arrive within a few minutes.",
  },
  dataRightsWithdrawn: { tone: "success", title: "Request withdrawn", text: "We have stopped working on it." },
  dataRightsClosed: { tone: "info", title: "Nothing to withdraw", text: "This request is already closed." },
  networkLinkSent: {
    tone: "info",
    title: "Check your email",
    text: "If that address is in the investor network, we email its link, unless we sent it several times lately. Look in your spam folder, too.",
  },
  networkJoined: { tone: "success", title: "Confirmed", text: "Thank you. This is your page in the network." },
  networkKept: { tone: "success", title: "Nothing changed", text: "We dropped the later details." },
  networkChanged: { tone: "success", title: "Saved", text: "We keep your new details." },
  networkResumed: { tone: "success", title: "Taken back", text: "You stay in the network, and we write to you again." },
  networkAskedMeanwhile: {
    tone: "info",
    title: "Nothing is confirmed yet",
    text: "The contact form was used again while this page was open. Look at the new details first.",
  },
  networkLinksEnded: {
    tone: "success",
    title: "All links ended",
    text: "The links to that page no longer work. To open it again, enter the address and we email a new link.",
  },
  networkStopped: { tone: "success", title: "Stopped", text: "We send no more email from the network." },
  networkLinkMailed: {
    tone: "info",
    title: "Check the member’s email",
    text: "We email the link to the member’s page to the address that we keep, unless we sent it several times lately.",
  },
  networkLeft: { tone: "success", title: "Deleted", text: "Your membership was deleted from this site." },
  requestEntered: {
    tone: "success",
    title: "Entered",
    text: "We are emailing the person an acknowledgement with a status link.",
  },
  requestChanged: { tone: "success", title: "Saved", text: "The change was added to the history." },
  submissionCorrected: { tone: "success", title: "Corrected", text: "The stored message has the new text." },
  membershipCorrected: { tone: "success", title: "Corrected", text: "The stored membership has the new text." },
  subjectErased: {
    tone: "success",
    title: "Erased",
    text: "All data under that address was deleted from this site. Backups keep it until they expire. A final email notifies the requester.",
  },
  memberNoted: { tone: "success", title: "Saved", text: "The note was added to the log." },
  memberAdmitted: { tone: "success", title: "Admitted", text: "They are in the network now. No email was sent." },
  memberDeclined: { tone: "success", title: "Declined", text: "They are not in the network. No email was sent." },
  memberLinkSent: { tone: "success", title: "Sending the link", text: "We are handing the email to the mail server." },
  memberRemoved: {
    tone: "success",
    title: "Removed",
    text: "What the network kept about this person was deleted from this site. No email was sent.",
  },
  letterSaved: { tone: "success", title: "Draft saved", text: "Anyone on the team can continue it here." },
  letterIncomplete: {
    tone: "info",
    title: "Not complete yet",
    text: "Enter a subject and the text, choose at least one group of members, then press “Save and check”.",
  },
  letterDeleted: { tone: "success", title: "Deleted", text: "The draft was deleted. It was never sent." },
  letterTried: {
    tone: "success",
    title: "Sending it to yourself",
    text: "We are mailing it to your own address. Read it before you send the letter.",
  },
  letterSent: {
    tone: "success",
    title: "Sending",
    text: "Each member gets one email, after all other email of this site. You can stop it here.",
  },
  letterSentBefore: {
    tone: "info",
    title: "Already sent",
    text: "This letter was sent before, perhaps by a colleague. Nothing was sent twice.",
  },
  letterResent: {
    tone: "success",
    title: "Sending again",
    text: "Only the members to whom it could not be sent get it. Those who have it get no second copy.",
  },
  letterStopped: {
    tone: "success",
    title: "Stopped",
    text: "No more emails of this letter are sent. One that was on its way may still arrive.",
  },
  secondFactorOff: {
    tone: "success",
    title: "Two-step verification is off",
    text: "You now sign in with your password alone.",
  },
  recoveryCodesMissing: {
    tone: "error",
    title: "Recovery codes are missing",
    text: "Two-step verification is on, but we couldn’t show you recovery codes. Create them below in a minute: without them, a lost phone locks you out.",
  },
  secondFactorRecovered: {
    tone: "info",
    title: "You are signed in",
    text: "Your recovery code turned two-step verification off and can’t be used again. Set it up again on your new device.",
  },
  identityConfirmed: { tone: "success", title: "Confirmed", text: "We won’t ask again for 15 minutes." },
  adminInvited: {
    tone: "success",
    title: "Invitation sent",
    text: "The email is on its way. Its link works once, for 72 hours.",
  },
  invitationWithdrawn: { tone: "success", title: "Invitation withdrawn", text: "Its link no longer works." },
  adminRemoved: {
    tone: "success",
    title: "Admin removed",
    text: "They have been signed out everywhere. To bring them back, send a new invitation.",
  },
  invitationAccepted: { tone: "success", title: "Welcome", text: "Your password is set. Sign in with it." },
  passwordLinkSent: {
    tone: "info",
    title: "Check your email",
    text: "If that address has an account, a link to choose a new password is on its way. The link works for 30 minutes.",
  },
  passwordRenewed: { tone: "success", title: "Password changed", text: "Sign in with your new password." },
  nameSaved: { tone: "success", title: "Saved", text: "Your next reply carries this name and signature." },
  passwordChanged: {
    tone: "success",
    title: "Password changed",
    text: "You stay signed in here. All your other sessions have ended.",
  },
  sessionEnded: { tone: "success", title: "Session ended", text: "That device must sign in again." },
  otherSessionsEnded: { tone: "success", title: "Other sessions ended", text: "You are now signed in only here." },
  notAdmin: { tone: "error", title: "Access denied", text: "You do not have admin privileges" },
} as const satisfies Record<string, Message>;

/** Key of a message. */
export type MessageKey = keyof typeof messages;

/** For each message that is true in some states of a page only: returns true in those, given the loader's data. */
export type NoticeRules<Data> = Partial<Record<MessageKey, (shown: Data) => boolean>>;

/** Messages that the inbox shows itself, because it adds the sender's name, which must not be in a URL. */
export const inboxMessages = [
  "submissionMarked",
  "submissionRestored",
  "submissionUndone",
  "replySent",
] as const satisfies MessageKey[];

/** One of {@link inboxMessages}. */
export type InboxMessageKey = (typeof inboxMessages)[number];

/** Titles of messages whose text comes from the authentication service or the database (REQUIREMENTS 9.1). */
export const messageTitles = {
  loginFailed: "Login failed",
  loginBroken: "An error occurred",
  submissionsFailed: "Error loading submissions",
  adminFailed: "Error",
} as const;

/** Reasons why the text of an admin's form was not stored. */
export const unsentReasons = {
  session:
    "Your session has ended. Your text is still here. Sign in in a new tab, come back to this page, and press the button again.",
  unavailable: "The site’s database is not responding. Your text is still here. Try again in a minute.",
  busy: "Too many sign-ins from your connection are being checked. Your text is still here. Try again in a minute.",
  gone: "You can’t reply to this message: it no longer exists, or its use is restricted. Copy your text if you still need it.",
} as const;

/** Fallback texts if the service sent none (REQUIREMENTS 9.1). */
export const fallbackTexts = {
  loginBroken: "Failed to sign in",
  adminFailed: "Failed to load admin dashboard",
  adminLineLost: "The site did not respond, so your change may not be saved. Check your connection and try again.",
} as const;
