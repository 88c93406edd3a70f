// Sentences: a checkbox for each one. A click on a sentence in the text under judgment also ticks its box.
import { isLocked, judged, nearest, paint, rangeOf, selected, serves, toUnits, watch, zeroTicks } from "../shared/passage.js";
import { say } from "../shared/saying.js";

/** @typedef {ReturnType<typeof setUp>} State */

/** @type {WeakMap<Question, State>} */
const states = new WeakMap();

export function read(root) {
  const s = stateOf(root);
  const chosen = s.boxes.flatMap((box, n) => (box.checked ? [n] : []));
  if (!chosen.length && !s.none?.checked) return null;
  return { sentences: s.boxes.map((box) => [Number(box.dataset.start), Number(box.dataset.end)]), chosen };
}

export function write(root, value) {
  const s = stateOf(root);
  s.boxes.forEach((box, n) => (box.checked = value?.chosen.includes(n) ?? false));
  if (s.none) s.none.checked = value?.chosen.length === 0;
  draw(s);
}

// A number key ticks or unticks the sentence with that number.
export function key(root, pressed) {
  const box = stateOf(root).boxes[Number(pressed) - 1];
  if (box && !isLocked(root)) {
    box.click();
    box.focus();
  }
  return false;
}

function stateOf(root) {
  if (!states.has(root)) states.set(root, setUp(root));
  return states.get(root);
}

function setUp(root) {
  const element = judged(root.dataset.position);
  element.normalize(); // browsers split very long texts into several nodes
  const node = /** @type {Text} */ (element.firstChild);
  const boxes = [...root.querySelectorAll(".sents input")];
  const none = root.querySelector(".nothing input");
  /** @type {Stretch[]} */
  const stretches = boxes.map((box) => [toUnits(node.data, Number(box.dataset.start)), toUnits(node.data, Number(box.dataset.end))]);
  const s = { root, element, node, boxes, none, stretches, told: root.querySelector("[data-told]") };
  element.classList.add("clickable");
  const leaning = document.querySelectorAll(`.q[data-leans][data-position="${root.dataset.position}"]`);
  element.classList.toggle("in-list", leaning.length === 1);
  listen(s);
  return s;
}

/** @param {State} s */
function listen(s) {
  s.element.addEventListener("click", (event) => {
    if (isLocked(s.root) || !serves(s.root) || selected(s.node)) return;
    s.boxes[nearest(s.node, s.stretches, event.clientX, event.clientY)]?.click();
  });
  s.root.addEventListener("keydown", (event) => {
    const at = s.boxes.indexOf(event.target);
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    if (at < 0 || !step || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    s.boxes[at + step]?.focus();
  });
  // Runs before the page's handlers: one sentence too many is unticked at once, with a message.
  s.root.addEventListener("input", (event) => {
    const { most, tooMany } = s.root.dataset;
    const isOver = most && s.boxes.filter((box) => box.checked).length > Number(most);
    if (isOver) event.target.checked = false;
    s.told.textContent = isOver ? say(tooMany, { most }) : "";
    draw(s);
  });
  if (s.none) zeroTicks(s.root, s.none);
  watch(s.root, s.element, () => draw(s));
  for (const kind of ["focusin", "focusout"]) s.root.addEventListener(kind, () => setTimeout(draw, 0, s));
}

/** @param {State} s */
function draw(s) {
  const range = (n) => rangeOf(s.node, ...s.stretches[n]);
  const chosen = s.boxes.flatMap((box, n) => (box.checked ? [range(n)] : []));
  if (s.none) {
    if (chosen.length) s.none.checked = false;
    s.none.disabled = chosen.length > 0 || isLocked(s.root);
  }
  paint("sentence", s.root, chosen);
  const at = s.boxes.findIndex((box) => box.matches(":focus-visible"));
  paint("here", s.root, at < 0 ? [] : [range(at)]);
}
