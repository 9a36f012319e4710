import { onePage } from "./artifacts";
import { company } from "./company";

const { process: steps } = company;

/** The firm's first steps with a client; null unless the facts give them. */
export const howItStarts = steps.length === 0 ? null : { title: "How it starts", steps, artifact: onePage };
