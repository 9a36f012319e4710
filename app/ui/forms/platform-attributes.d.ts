import "react";

/** Attributes of the HTML standard that React 18 passes on but its types do not know. */
declare module "react" {
  interface ButtonHTMLAttributes<T> {
    /** what to do with the element of `commandfor` (HTML standard, "invoker commands") */
    command?: "show-modal" | "close" | "request-close";
    commandfor?: string;
    /** id of the popover that the button toggles */
    popovertarget?: string;
  }
  interface DialogHTMLAttributes<T> {
    popover?: "auto" | "manual";
    /** which gestures close the dialog */
    closedby?: "any" | "closerequest" | "none";
  }
}
