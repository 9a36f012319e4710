/** Where the second factor is asked for, and where one's own is set up; where an admin confirms that it is them. */
export const secondFactorPaths = {
  challenge: "/login/second-factor",
  own: "/admin/account/second-factor",
  confirm: "/admin/confirm",
} as const;
