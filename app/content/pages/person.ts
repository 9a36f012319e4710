import { founder } from "../founder";
import { aboutPage } from "./about";

/** The section that introduces the founder; null until the facts give a name. */
export const personSection = founder && {
  ...founder,
  title: "Who you will work with",
  philosophy: aboutPage.philosophy,
  link: { label: "How the firm works, and where it stops", path: aboutPage.path },
};
