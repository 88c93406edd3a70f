// A preference works like a scale: one radio button, whose value runs from one candidate to the other.
export { choose as write, chooseByKey as key, chosen as read } from "../shared/choosing.js";
