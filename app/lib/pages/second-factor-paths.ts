/** Paths of the second factor: challenge at sign-in, setup of one's own factor, and confirmation of one's identity. */
export const secondFactorPaths = {
  challenge: "/login/second-factor",
  own: "/admin/account/second-factor",
  confirm: "/admin/confirm",
} as const;
