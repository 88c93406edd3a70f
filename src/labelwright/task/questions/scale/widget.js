// A scale: one radio button is the answer.
export { choose as write, chooseByKey as key, chosen as read } from "../shared/choosing.js";
