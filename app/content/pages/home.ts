import { company } from "../company";

/** Every word of the home page. */
export const homePage = {
  title: "Strategic advisory and AI transformation",
  description: company.tagline,
  headline: "Strategic advisory and AI transformation for healthcare and wellness ventures",
  lead: "From the first idea to the boardroom: founders, growing firms, health systems and investors work with us to build, scale and realise value.",
  action: "Contact Us",
};
