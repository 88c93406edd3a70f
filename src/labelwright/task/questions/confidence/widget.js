// Confidence: a labelled point, or a slider that has no answer until it is moved or pressed.
import { choose, chooseByKey, chosen } from "../shared/choosing.js";

const slider = (root) => root.querySelector("input[type=range]");

function show(range) {
  const answered = "moved" in range.dataset;
  range.nextElementSibling.textContent = answered ? range.value : "–";
  answered ? range.removeAttribute("aria-valuetext") : range.setAttribute("aria-valuetext", range.dataset.none);
}

export function read(root) {
  const range = slider(root);
  if (!range) return chosen(root);
  return "moved" in range.dataset ? Number(range.value) : null;
}

export function write(root, value) {
  const range = slider(root);
  if (!range) return choose(root, value);
  listen(range);
  range.value = value ?? 50;
  value === null ? delete range.dataset.moved : (range.dataset.moved = "");
  show(range);
}

// Clicking the slider handle, or pressing Enter or Space on it, accepts the current value.
function listen(range) {
  if ("listens" in range.dataset) return;
  range.dataset.listens = "";
  const take = () => {
    if ("moved" in range.dataset) return;
    range.dataset.moved = "";
    range.dispatchEvent(new Event("change", { bubbles: true }));
  };
  range.addEventListener("click", take);
  range.addEventListener("keydown", (event) => [" ", "Enter"].includes(event.key) && take());
}

export function changed(root) {
  const range = slider(root);
  if (!range) return;
  range.dataset.moved = "";
  show(range);
}

// On the slider, a number key sets that multiple of ten.
export function key(root, pressed) {
  const range = slider(root);
  if (!range) return chooseByKey(root, pressed);
  range.value = 10 * Number(pressed);
  range.dispatchEvent(new Event("change", { bubbles: true }));
  return true;
}
