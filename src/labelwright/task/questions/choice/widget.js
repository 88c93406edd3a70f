// One choice; if options ask for an explanation, the answer contains both.
import { choose, chooseByKey, chosen } from "../shared/choosing.js";
import { readExplanation, showExplanation, writeExplanation } from "../shared/explanation.js";

const explained = (root) => "explained" in root.dataset;

export function read(root) {
  const choice = chosen(root);
  if (choice === null || !explained(root)) return choice;
  const explanation = readExplanation(root, choice);
  return { choice, ...(explanation && { explanation }) };
}

export function write(root, value) {
  choose(root, explained(root) ? (value?.choice ?? null) : value);
  writeExplanation(root, chosen(root), value?.explanation);
}

export function changed(root) {
  showExplanation(root, chosen(root));
}

// If the option asks for an explanation, the focus moves to its first control and not to the next question.
export function key(root, pressed) {
  if (!chooseByKey(root, pressed)) return false;
  const why = root.querySelector("[data-why]:not([hidden])");
  why?.querySelector("input, textarea")?.focus();
  return !why;
}
