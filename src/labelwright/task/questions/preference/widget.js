// A preference is answered as a scale is: one radio button, whose value counts from one candidate to the other.
export { choose as write, chooseByKey as key, chosen as read } from "../shared/choosing.js";
