// An attention check: one radio button is the answer.
import { chooseByKey } from "../shared/choosing.js";
export { choose as write, chosen as read } from "../shared/choosing.js";

// If the options are numbers, a digit means that number, not the position in the list.
export function key(root, pressed) {
  if (!("numbers" in root.dataset)) return chooseByKey(root, pressed);
  const place = [...root.querySelectorAll(".nm")].findIndex((name) => name.textContent === pressed);
  return place >= 0 && chooseByKey(root, place + 1);
}
