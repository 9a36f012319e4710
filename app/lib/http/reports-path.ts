/** Path to which browsers report violations of the content security policy (Reporting API; CSP Level 3, section 5). */
export const reportsPath = "/reports";
