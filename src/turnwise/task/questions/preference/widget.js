// A preference is answered as a scale is: one radio button, whose value counts from one candidate to the other.
export { key, read, write } from "../scale/widget.js";
