/** Where browsers send what the content security policy has kept out (Reporting API; CSP Level 3, section 5). */
export const reportsPath = "/reports";
