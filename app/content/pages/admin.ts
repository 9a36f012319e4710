/** Every word of the admin area. */
export const adminPage = {
  title: "Admin Dashboard",
  subtitle: "Contact Form Submissions",
  logOut: "Logout",
  empty: "No contact submissions yet.",
  loading: "Loading",
  details: { company: "Company", stage: "Stage", goal: "Goal", message: "Message", ip: "IP" },
  quarantine: {
    title: "Held back",
    text: "These filled a field that people cannot see. Most are spam; now and then a browser fills it for a person. Nothing was mailed about them.",
    reasons: { honeypot: "The hidden field was filled." } as Record<string, string>,
  },
  mail: {
    title: "Some mail has not gone out",
    waiting: (count: number) => `${count} ${count === 1 ? "message is" : "messages are"} waiting for the mail server.`,
    givenUp: (count: number) =>
      `${count} ${count === 1 ? "acknowledgement" : "acknowledgements"} could not be delivered to the address that was given.`,
  },
};
