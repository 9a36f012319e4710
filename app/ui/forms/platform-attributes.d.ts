import "react";

/** HTML attributes that React 18 passes on but its types lack. */
declare module "react" {
  interface ButtonHTMLAttributes<T> {
    /** action on the element in `commandfor` (HTML standard, "invoker commands") */
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
